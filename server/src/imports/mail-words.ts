/** The words of the mail about the end of an import, in the languages of the mails for members. */

import type { MailLanguage } from '../accounts/businesses/mail-language.ts'
import { type ServiceMailWords, withoutLinks } from '../lib/email/service-mail.ts'
import type { Import } from './import.ts'

type FinishedImport = Pick<Import, 'state' | 'kind' | 'fileName' | 'counts' | 'fault'>

export function importWords(language: MailLanguage, ended: FinishedImport): ServiceMailWords {
  const number = new Intl.NumberFormat(language)
  return { en: english, de: german, fr: french }[language](ended, (count) => number.format(count))
}

type Spell = (count: number) => string

function english(
  { state, kind, fileName, counts, fault }: FinishedImport,
  n: Spell,
): ServiceMailWords {
  const file = `The import of “${withoutLinks(fileName)}”`
  const { created, updated, unchanged, refused, stayed_unsubscribed: stayed } = counts
  const cells = counts.left_out ?? 0
  const cellsLeftOut =
    cells === 0
      ? ''
      : cells === 1
        ? ' 1 cell could not be read and was skipped.'
        : ` ${n(cells)} cells could not be read and were skipped.`
  const rowsRefused = refused === 1 ? '1 row was rejected' : `${n(refused)} rows were rejected`
  const listed = `${n(created)} addresses were added to the suppression list, ${n(updated)} now block more than before and ${n(unchanged)} were already on it; ${rowsRefused}.`
  const saved = `${n(created)} contacts were added, ${n(updated)} updated and ${n(unchanged)} unchanged; ${rowsRefused}.`
  const sentence = stayed > 0 ? ` ${n(stayed)} people who had unsubscribed stay unsubscribed.` : ''
  const ending = {
    done: `${file} is done.`,
    failed: `${file} failed before it was complete. ${fault?.message ?? ''}`.trim(),
    cancelled: `${file} was cancelled.`,
  }
  return {
    subject: state === 'failed' ? 'Import failed' : 'Import complete',
    message: `${ending[endOf(state)]} ${kind === 'suppressions' ? listed : saved}${cellsLeftOut}${sentence}`,
    button: 'View result',
    terms:
      'For seven days, you can undo it there and download the rejected rows and skipped cells with the reason for each.',
    otherwise: 'This is the only email about this import.',
  }
}

function german({ state, kind, fileName, counts }: FinishedImport, n: Spell): ServiceMailWords {
  const file = `Der Import von „${withoutLinks(fileName)}“`
  const { created, updated, unchanged, refused, stayed_unsubscribed: stayed } = counts
  const cells = counts.left_out ?? 0
  const cellsLeftOut =
    cells === 0
      ? ''
      : cells === 1
        ? ' 1 Zelle war nicht lesbar und wurde übersprungen.'
        : ` ${n(cells)} Zellen waren nicht lesbar und wurden übersprungen.`
  const rowsRefused =
    refused === 1 ? '1 Zeile wurde abgelehnt' : `${n(refused)} Zeilen wurden abgelehnt`
  const listed = `Neu auf der Sperrliste: ${n(created)}, strenger gesperrt als zuvor: ${n(updated)}, schon auf der Liste: ${n(unchanged)}; ${rowsRefused}.`
  const saved = `Neue Kontakte: ${n(created)}, geändert: ${n(updated)}, unverändert: ${n(unchanged)}; ${rowsRefused}.`
  const sentence = stayed > 0 ? ` ${n(stayed)} abgemeldete Personen bleiben abgemeldet.` : ''
  const ending = {
    done: `${file} ist abgeschlossen.`,
    failed: `${file} ist vor dem Ende fehlgeschlagen. Den Grund zeigt die Seite.`,
    cancelled: `${file} wurde abgebrochen.`,
  }
  return {
    subject: state === 'failed' ? 'Import fehlgeschlagen' : 'Import abgeschlossen',
    message: `${ending[endOf(state)]} ${kind === 'suppressions' ? listed : saved}${cellsLeftOut}${sentence}`,
    button: 'Ergebnis ansehen',
    terms:
      'Sieben Tage lang können Sie ihn dort rückgängig machen und die abgelehnten Zeilen und übersprungenen Zellen mit dem jeweiligen Grund herunterladen.',
    otherwise: 'Das ist die einzige E-Mail über diesen Import.',
  }
}

function french({ state, kind, fileName, counts }: FinishedImport, n: Spell): ServiceMailWords {
  const file = `L’import de « ${withoutLinks(fileName)} »`
  const { created, updated, unchanged, refused, stayed_unsubscribed: stayed } = counts
  const cells = counts.left_out ?? 0
  const cellsLeftOut = cells === 0 ? '' : ` Cellules illisibles, ignorées : ${n(cells)}.`
  const listed = `Nouvelles dans la liste des adresses bloquées : ${n(created)}, plus bloquées qu’avant : ${n(updated)}, déjà dans la liste : ${n(unchanged)} ; lignes rejetées : ${n(refused)}.`
  const saved = `Nouveaux contacts : ${n(created)}, mis à jour : ${n(updated)}, inchangés : ${n(unchanged)} ; lignes rejetées : ${n(refused)}.`
  const sentence = stayed > 0 ? ` Personnes désinscrites, qui le restent : ${n(stayed)}.` : ''
  const ending = {
    done: `${file} est terminé.`,
    failed: `${file} a échoué avant la fin. La page en montre la raison.`,
    cancelled: `${file} a été annulé.`,
  }
  return {
    subject: state === 'failed' ? 'L’import a échoué' : 'Import terminé',
    message: `${ending[endOf(state)]} ${kind === 'suppressions' ? listed : saved}${cellsLeftOut}${sentence}`,
    button: 'Voir le résultat',
    terms:
      'Pendant sept jours, vous pouvez l’y annuler et télécharger les lignes rejetées et les cellules ignorées, avec la raison de chacune.',
    otherwise: 'C’est le seul e-mail au sujet de cet import.',
  }
}

const endOf = (state: Import['state']) =>
  state === 'failed' || state === 'cancelled' ? state : 'done'
