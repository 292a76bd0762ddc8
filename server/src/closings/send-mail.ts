/** The mails to the owners of a business that was closed, taken back or deleted. */

import { type Closing, closingLimits, findClosing } from '../accounts/businesses/closing.ts'
import { type MailLanguage, mailLanguageAmong } from '../accounts/businesses/mail-language.ts'
import { formatId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { type ServiceMailWords, serviceMail, withoutLinks } from '../lib/email/service-mail.ts'
import type { Job } from '../lib/jobs/job.ts'
import type { ClosingEvent, ClosingMailDeps, ClosingMailPayload } from './mail.ts'

export async function sendClosingMail(
  { db, mailer, urls, mailFrom }: ClosingMailDeps,
  { id, payload }: Job,
): Promise<void> {
  const { business_id: businessId, owner_id, event } = payload as ClosingMailPayload
  const closing = await findClosing(db, businessId)
  const owner = await db.maybe<{ email: string }>(
    sql`select email from users where id = ${owner_id}`,
  )
  if (!closing || !owner) return
  const language = mailLanguageAmong([closing.language])
  const page =
    event === 'reopened' ? `/b/${formatId('business', businessId)}/connections` : '/account/closed'
  const words = closingMailWords(language, event, closing)
  const mail = serviceMail({ ...words, url: `${urls.appUrl}${page}`, language })
  await mailer.send({ name: `closing.${id}`, from: mailFrom, to: owner.email, ...mail })
}

/** The number of deleted rows. */
const rowsOf = ({ deleted }: Closing) =>
  Object.values(deleted).reduce((sum, count) => sum + Number(count), 0)

export function closingMailWords(
  language: MailLanguage,
  event: ClosingEvent,
  closing: Closing,
): ServiceMailWords {
  const locale = language === 'en' ? 'en-GB' : language
  const dayOf = (at: Date) => at.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const facts = {
    name: withoutLinks(closing.name),
    deleteOn: dayOf(closing.deleteAt),
    closedOn: dayOf(closing.closedAt),
    rows: rowsOf(closing).toLocaleString(locale),
    keeps: closing.keepsSuppressions,
    days: closingLimits.daysOfAnswers,
  }
  return { en: english, de: german, fr: french }[language](facts)[event]
}

interface Facts {
  name: string
  deleteOn: string
  closedOn: string
  rows: string
  /** Whether suppressions are kept. */
  keeps: boolean
  days: number
}

type Words = (facts: Facts) => Record<ClosingEvent, ServiceMailWords>

const english: Words = ({ name, deleteOn, closedOn, rows, keeps, days }) => ({
  closed: {
    subject: `${name} was closed`,
    message: `The business ${name} was closed. Nothing of it is sent any more, and its connections and API keys have ended.`,
    button: 'Take it back',
    terms: `You can take it back until ${deleteOn}. After that day everything in it is deleted${keeps ? ', except the hashes of addresses that must not be written to' : ''}.`,
    otherwise: 'If you did not expect this, take it back and look at the audit log.',
  },
  reopened: {
    subject: `${name} is open again`,
    message: `The business ${name} was taken back. Its members have access again.`,
    button: 'Resume sending',
    terms:
      'Its sending stays stopped until a person resumes it. Connect apps and make API keys again: the old ones have ended.',
    otherwise: 'Nothing was deleted.',
  },
  deleted: {
    subject: `${name} was deleted`,
    message: `The business ${name}, closed on ${closedOn}, was deleted: ${rows} rows in all.`,
    button: 'See the certificate',
    terms: `${keeps ? 'The hashes of addresses that must not be written to are kept, as asked.' : 'Nothing of its contacts is kept.'} Unsubscribe links of its mails answer for ${days} more days.`,
    otherwise:
      'Backups of the installation still have it until they expire; a restore deletes it again.',
  },
})

const german: Words = ({ name, deleteOn, closedOn, rows, keeps, days }) => ({
  closed: {
    subject: `${name} wurde geschlossen`,
    message: `Das Unternehmen ${name} wurde geschlossen. Es versendet nichts mehr, und seine Verbindungen und API-Schlüssel sind beendet.`,
    button: 'Wieder öffnen',
    terms: `Bis zum ${deleteOn} können Sie es wieder öffnen. Danach wird alles darin gelöscht${keeps ? ', außer den Hashwerten gesperrter Adressen' : ''}.`,
    otherwise:
      'Wenn Sie das nicht erwartet haben, öffnen Sie es wieder und sehen Sie im Protokoll nach.',
  },
  reopened: {
    subject: `${name} ist wieder geöffnet`,
    message: `Das Unternehmen ${name} wurde wieder geöffnet. Seine Mitglieder haben wieder Zugang.`,
    button: 'Versand fortsetzen',
    terms:
      'Der Versand bleibt angehalten, bis ihn jemand fortsetzt. Verbinden Sie Apps neu und erstellen Sie neue API-Schlüssel: Die alten sind beendet.',
    otherwise: 'Es wurde nichts gelöscht.',
  },
  deleted: {
    subject: `${name} wurde gelöscht`,
    message: `Das Unternehmen ${name}, geschlossen am ${closedOn}, wurde gelöscht: insgesamt ${rows} Zeilen.`,
    button: 'Bescheinigung ansehen',
    terms: `${keeps ? 'Die Hashwerte gesperrter Adressen bleiben wie gewünscht erhalten.' : 'Von den Kontakten bleibt nichts erhalten.'} Abmeldelinks in alten E-Mails funktionieren noch ${days} Tage.`,
    otherwise:
      'In Sicherungen der Installation ist es noch enthalten, bis sie ablaufen; nach einer Wiederherstellung wird es erneut gelöscht.',
  },
})

const french: Words = ({ name, deleteOn, closedOn, rows, keeps, days }) => ({
  closed: {
    subject: `${name} a été fermée`,
    message: `L’entreprise ${name} a été fermée. Elle n’envoie plus rien, et ses connexions et clés API ont pris fin.`,
    button: 'La rouvrir',
    terms: `Vous pouvez la rouvrir jusqu’au ${deleteOn}. Ensuite, tout ce qu’elle contient est supprimé${keeps ? ', sauf les empreintes des adresses bloquées' : ''}.`,
    otherwise: 'Si vous ne vous y attendiez pas, rouvrez-la et consultez le journal d’audit.',
  },
  reopened: {
    subject: `${name} est rouverte`,
    message: `L’entreprise ${name} a été rouverte. Ses membres y ont de nouveau accès.`,
    button: 'Reprendre l’envoi',
    terms:
      'L’envoi reste arrêté jusqu’à ce que quelqu’un le reprenne. Reconnectez les applications et créez de nouvelles clés API\u00a0: les anciennes ont pris fin.',
    otherwise: 'Rien n’a été supprimé.',
  },
  deleted: {
    subject: `${name} a été supprimée`,
    message: `L’entreprise ${name}, fermée le ${closedOn}, a été supprimée\u00a0: ${rows} lignes en tout.`,
    button: 'Voir le certificat',
    terms: `${keeps ? 'Les empreintes des adresses bloquées sont conservées, comme demandé.' : 'Rien n’est conservé de ses contacts.'} Les liens de désinscription de ses e-mails répondent encore ${days} jours.`,
    otherwise:
      'Les sauvegardes de l’installation la contiennent jusqu’à leur expiration\u00a0; une restauration la supprime de nouveau.',
  },
})
