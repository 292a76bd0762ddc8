/** The words of the mail about the end of an import, in English and German. */
import type { MailLanguage } from '../../accounts/businesses/mail-language.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { Import } from '../model/import.ts'

type Ended = Pick<Import, 'state' | 'kind' | 'fileName' | 'counts' | 'fault'>

export function importWords(language: MailLanguage, ended: Ended): ServiceMailWords {
  const number = new Intl.NumberFormat(language)
  return { en: english, de: german }[language](ended, (count) => number.format(count))
}

type Spell = (count: number) => string

function english({ state, kind, fileName, counts, fault }: Ended, n: Spell): ServiceMailWords {
  const file = `The import of “${withoutLinks(fileName)}”`
  const { created, updated, unchanged, refused, stayed_unsubscribed: stayed } = counts
  const cells = counts.left_out ?? 0
  const cellsLeftOut =
    cells === 0
      ? ''
      : cells === 1
        ? ' 1 cell could not be read and was left out.'
        : ` ${n(cells)} cells could not be read and were left out.`
  const rowsRefused = refused === 1 ? '1 row was refused' : `${n(refused)} rows were refused`
  const listed = `${n(created)} people were put on the list of suppressions, ${n(updated)} are suppressed more strictly than before and ${n(unchanged)} were on it; ${rowsRefused}.`
  const saved = `${n(created)} contacts were added, ${n(updated)} changed and ${n(unchanged)} left as they were; ${rowsRefused}.`
  const left = stayed > 0 ? ` ${n(stayed)} people who had unsubscribed stay unsubscribed.` : ''
  const ending = {
    done: `${file} is done.`,
    failed: `${file} stopped before its end. ${fault?.message ?? ''}`.trim(),
    cancelled: `${file} was cancelled.`,
  }
  return {
    subject: state === 'failed' ? 'An import failed' : 'An import is done',
    message: `${ending[endOf(state)]} ${kind === 'suppressions' ? listed : saved}${cellsLeftOut}${left}`,
    button: 'See the result',
    terms:
      'For seven days it can be undone there, and what was refused or left out downloaded with the reason for each.',
    otherwise: 'This is the only mail about this import.',
  }
}

function german({ state, kind, fileName, counts }: Ended, n: Spell): ServiceMailWords {
  const file = `Der Import von „${withoutLinks(fileName)}“`
  const { created, updated, unchanged, refused, stayed_unsubscribed: stayed } = counts
  const cells = counts.left_out ?? 0
  const cellsLeftOut =
    cells === 0
      ? ''
      : cells === 1
        ? ' 1 Zelle war nicht lesbar und wurde weggelassen.'
        : ` ${n(cells)} Zellen waren nicht lesbar und wurden weggelassen.`
  const rowsRefused =
    refused === 1 ? '1 Zeile wurde abgelehnt' : `${n(refused)} Zeilen wurden abgelehnt`
  const listed = `Neu auf der Sperrliste: ${n(created)}, strenger gesperrt als zuvor: ${n(updated)}, schon darauf: ${n(unchanged)}; ${rowsRefused}.`
  const saved = `Neue Kontakte: ${n(created)}, geändert: ${n(updated)}, unverändert: ${n(unchanged)}; ${rowsRefused}.`
  const left = stayed > 0 ? ` Weiterhin abgemeldet bleiben ${n(stayed)}, die es schon waren.` : ''
  const ending = {
    done: `${file} ist fertig.`,
    failed: `${file} wurde vor seinem Ende abgebrochen. Den Grund nennt die Seite.`,
    cancelled: `${file} wurde abgebrochen.`,
  }
  return {
    subject: state === 'failed' ? 'Ein Import ist gescheitert' : 'Ein Import ist fertig',
    message: `${ending[endOf(state)]} ${kind === 'suppressions' ? listed : saved}${cellsLeftOut}${left}`,
    button: 'Ergebnis ansehen',
    terms:
      'Sieben Tage lang lässt er sich dort zurücknehmen; was abgelehnt oder weggelassen wurde, lässt sich mit dem Grund herunterladen.',
    otherwise: 'Das ist die einzige E-Mail über diesen Import.',
  }
}

const endOf = (state: Import['state']) =>
  state === 'failed' || state === 'cancelled' ? state : 'done'
