/**
 * Mails to owners about what takes data out of the business or cannot be undone, by whomever: each
 * webhook to a new host, each export, each removed domain, and many erasures and merges in an hour.
 * Entries of the audit log cause them (`events/audit.ts`). One more is about a webhook whose receiver
 * fails (`webhooks/delivery/failing.ts`).
 */
import { type MailLanguage, mailLanguageOf } from '../accounts/businesses/mail-language.ts'
import { ownersOf } from '../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../core/ids.ts'
import { pressUrl, stopLink } from '../core/press-link.ts'
import { type NoticePayload, noticeJob, type OwnerNotice, quietRemovals } from '../events/audit.ts'
import { feedProblemIn } from '../feeds/problem-words.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db } from '../lib/db/types.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { type ServiceMailWords, serviceMail, withoutLinks } from '../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds } from '../lib/jobs/job.ts'
import { type Clock, hours, seconds } from '../lib/time/clock.ts'

const mailJob = 'owners.notice-mail'

interface MailPayload extends NoticePayload {
  owner_id: Id<'user'>
}

export interface OwnerNoticeDeps {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'seal' | 'open'>
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export function ownerNoticeJobs(deps: OwnerNoticeDeps): JobKinds {
  return {
    [noticeJob]: { run: (job) => queueMails(deps, job as Job<NoticePayload>) },
    [mailJob]: {
      retryDelays: [seconds(30), seconds(300), hours(1), hours(6)],
      timeoutMs: seconds(60),
      run: (job) => sendNotice(deps, job as Job<MailPayload>),
    },
  }
}

async function queueMails(
  { db, clock }: OwnerNoticeDeps,
  { payload }: Job<NoticePayload>,
): Promise<void> {
  const owners = await ownersOf(db, payload.business_id)
  const { business_id: businessId } = payload
  const mails = owners.map((owner_id): MailPayload => ({ ...payload, owner_id }))
  const jobs = mails.map((mail) => ({ kind: mailJob, businessId, payload: mail }))
  await db.tx((tx) => enqueue(tx, jobs, clock.now()))
}

async function sendNotice(
  { db, clock, vault, mailer, urls: { appUrl }, mailFrom }: OwnerNoticeDeps,
  { id, payload }: Job<MailPayload>,
): Promise<void> {
  const { business_id: businessId, owner_id, kind, subject, detail = '', webhook } = payload
  const names = await findNames(db, payload)
  if (!names) return
  const language = await mailLanguageOf(db, businessId)
  const business = formatId('business', businessId)
  const page = (path: string) => `${appUrl}/b/${business}/${path}`
  const words = wordsIn[language](kind, {
    subject: withoutLinks(subject),
    detail,
    businessName: withoutLinks(names.businessName),
    who: withoutLinks(names.by ?? 'Crier'),
    app: names.app === null ? null : withoutLinks(names.app),
  })
  const press =
    webhook === undefined
      ? undefined
      : pressUrl(
          { vault, appUrl, now: clock.now() },
          { act: 'webhook.pause', business, object: webhook, user: owner_id },
        )
  const linkDeps = { vault, appUrl, now: clock.now() }
  const stop = stopLink(linkDeps, { business, user: owner_id, language })
  const mail = serviceMail({
    ...words,
    url: press ?? page(pageOf[kind] ?? 'audit'),
    // What an app does can be stopped at once.
    also: names.app === null ? [] : [stop],
    language,
  })
  await mailer.send({ name: `notice.${id}`, from: mailFrom, to: names.to, ...mail })
}

/** The page of the app that the button opens, if it is not the audit log. */
const pageOf: Partial<Record<OwnerNotice['kind'], string>> = {
  failing: 'webhooks',
  feed: 'feeds',
  held: 'connections',
  proposed: 'proposals',
}

interface Names {
  to: string
  businessName: string
  /** Null for what the service did by itself. */
  by: string | null
  /** The app or key that it came through; null for a person in the app. */
  app: string | null
}

/** Undefined for somebody who is no longer an owner. */
function findNames(
  db: Db,
  { business_id, owner_id, user_id, connection_id }: MailPayload,
): Promise<Names | undefined> {
  return db.maybe(sql`
    select owner.email as to, b.name as "businessName", doer.email as by,
      coalesce(k.name, client.name) as app
    from memberships m
    join users owner on owner.id = m.user_id
    join businesses b on b.id = m.business_id
    left join users doer on doer.id = ${user_id}
    left join connections c on c.id = ${connection_id}
    left join oauth_clients client on client.id = c.client_id
    left join api_keys k on k.business_id = ${business_id} and k.id = c.id
    where m.business_id = ${business_id} and m.user_id = ${owner_id} and m.role = 'owner'
  `)
}

interface Words {
  subject: string
  detail: string
  businessName: string
  who: string
  app: string | null
}

const wordsIn: Record<MailLanguage, (kind: OwnerNotice['kind'], names: Words) => ServiceMailWords> =
  {
    en: (kind, { subject, detail, businessName, who, app }) => {
      const by = app === null ? who : `“${app}”, which ${who} connected,`
      const texts = {
        webhook: {
          subject: `A webhook sends events of ${businessName} to ${subject}`,
          message: `${by} has made a webhook that sends events of “${businessName}” to ${subject}, where nothing was sent before.`,
          button: 'Pause this webhook',
          terms: 'Events wait while it is paused.',
        },
        export: {
          subject: `Data of ${businessName} was exported`,
          message: `${by} has exported data of “${businessName}” (${subject}).`,
          button: 'See the audit log',
          terms: 'The link to the file works for an hour.',
        },
        domain: {
          subject: `The domain ${subject} was removed from ${businessName}`,
          message: `${by} has removed the sender domain ${subject} from “${businessName}”. Nothing is sent from it any more.`,
          button: 'See the audit log',
          terms: 'To send from it again, add it and set its records anew.',
        },
        removals: {
          subject: `More than ${quietRemovals} people were erased or merged in ${businessName}`,
          message: `Within an hour ${subject} people of “${businessName}” were erased or merged, the last of them by ${app === null ? who : `“${app}”`}.`,
          button: 'See the audit log',
          terms: 'Neither can be undone.',
        },
        held: {
          subject: `${subject === 'contact.merge' ? 'A merge of contacts' : subject === 'contact.erase' ? 'Erasing more people' : `Removing the domain ${subject}`} waits for 24 hours in ${businessName}`,
          message: `${by} has ordered ${subject === 'contact.merge' ? `to merge contacts of “${businessName}”` : subject === 'contact.erase' ? `to erase more than five people of “${businessName}” in a day` : `to remove the sender domain ${subject} from “${businessName}”`}. It is done in 24 hours unless you cancel it.`,
          button: 'See what waits',
          terms:
            'You can cancel it there, or have it done at once. About this app there is one such mail a day, and one for each domain.',
        },
        proposed: {
          subject: `${subject} proposed emails wait for you in ${businessName}`,
          message: `${by} has written ${subject} emails to people of “${businessName}”. None is sent until somebody approves it.`,
          button: 'Read the emails',
          terms: 'You can change them, approve them or refuse them with a reason.',
        },
        failing: {
          subject: `Events of ${businessName} do not reach ${subject}`,
          message: `The receiver of a webhook at ${subject} fails, so events of “${businessName}” do not reach it. ${detail === '' ? 'The last attempt got no answer.' : `The last attempt was answered with ${detail}.`}`,
          button: 'See the webhook',
          terms:
            'Each event is tried seven times within 21 hours, and is kept for 30 days: you can send again what was given up.',
        },
        feed: {
          subject: `The feed “${subject}” of ${businessName} cannot be read`,
          message: `Crier tried the feed “${subject}” of “${businessName}” three times and could not read it: it ${detail}. Until it can, no mails are made of it.`,
          button: 'See the feeds',
          terms:
            'Crier tries again at least once a day. What is published meanwhile is sent later.',
        },
      }[kind]
      return { ...texts, otherwise: 'If you know about it, you need not do anything.' }
    },
    de: (kind, { subject, detail, businessName, who, app }) => {
      const by = app === null ? who : `„${app}“ (verbunden von ${who})`
      const texts = {
        webhook: {
          subject: `Ein Webhook sendet Ereignisse von ${businessName} an ${subject}`,
          message: `${by} hat einen Webhook angelegt, der Ereignisse von „${businessName}“ an ${subject} sendet. Dorthin wurde bisher nichts gesendet.`,
          button: 'Diesen Webhook pausieren',
          terms: 'Solange er pausiert ist, warten Ereignisse.',
        },
        export: {
          subject: `Daten von ${businessName} wurden exportiert`,
          message: `${by} hat Daten von „${businessName}“ exportiert (${subject}).`,
          button: 'Audit-Log ansehen',
          terms: 'Der Link zur Datei gilt eine Stunde.',
        },
        domain: {
          subject: `Die Domain ${subject} wurde aus ${businessName} entfernt`,
          message: `${by} hat die Absenderdomain ${subject} aus „${businessName}“ entfernt. Von ihr wird nichts mehr gesendet.`,
          button: 'Audit-Log ansehen',
          terms:
            'Um wieder von ihr zu senden, fügen Sie sie hinzu und setzen Sie ihre Einträge neu.',
        },
        removals: {
          subject: `Mehr als ${quietRemovals} Personen wurden in ${businessName} gelöscht oder zusammengeführt`,
          message: `In einer Stunde wurden ${subject} Personen von „${businessName}“ gelöscht oder zusammengeführt, zuletzt von ${app === null ? who : `„${app}“`}.`,
          button: 'Audit-Log ansehen',
          terms: 'Beides lässt sich nicht rückgängig machen.',
        },
        held: {
          subject: `${subject === 'contact.merge' ? 'Eine Zusammenführung von Kontakten' : subject === 'contact.erase' ? 'Das Löschen weiterer Personen' : `Das Entfernen der Domain ${subject}`} wartet 24 Stunden in ${businessName}`,
          message: `${by} will ${subject === 'contact.merge' ? `Kontakte von „${businessName}“ zusammenführen` : subject === 'contact.erase' ? `mehr als fünf Personen von „${businessName}“ an einem Tag löschen` : `die Absenderdomain ${subject} aus „${businessName}“ entfernen`}. Das geschieht in 24 Stunden, wenn Sie es nicht abbrechen.`,
          button: 'Ansehen, was wartet',
          terms:
            'Dort können Sie es abbrechen oder sofort ausführen. Zu dieser App kommt eine solche Mail am Tag, und eine zu jeder Domain.',
        },
        proposed: {
          subject: `${subject} vorgeschlagene E-Mails warten auf Sie in ${businessName}`,
          message: `${by} hat ${subject} E-Mails an Personen von „${businessName}“ geschrieben. Keine wird gesendet, bevor sie jemand freigibt.`,
          button: 'E-Mails lesen',
          terms: 'Sie können sie ändern, freigeben oder mit einem Grund ablehnen.',
        },
        failing: {
          subject: `Ereignisse von ${businessName} erreichen ${subject} nicht`,
          message: `Der Empfänger eines Webhooks auf ${subject} antwortet nicht richtig, deshalb kommen Ereignisse von „${businessName}“ dort nicht an. ${detail === '' ? 'Auf den letzten Versuch kam keine Antwort.' : `Der letzte Versuch wurde mit ${detail} beantwortet.`}`,
          button: 'Webhook ansehen',
          terms:
            'Jedes Ereignis wird innerhalb von 21 Stunden siebenmal versucht und 30 Tage aufbewahrt: Was nicht zugestellt wurde, können Sie erneut zustellen.',
        },
        feed: {
          subject: `Der Feed „${subject}“ von ${businessName} ist nicht lesbar`,
          message: `Crier hat den Feed „${subject}“ von „${businessName}“ dreimal abgerufen und konnte ihn nicht lesen (${feedProblemIn('de', detail)}). Solange das so ist, entstehen daraus keine E-Mails.`,
          button: 'Feeds ansehen',
          terms:
            'Crier versucht es mindestens einmal am Tag wieder. Was inzwischen erscheint, wird später gesendet.',
        },
      }[kind]
      return { ...texts, otherwise: 'Wenn Sie davon wissen, müssen Sie nichts tun.' }
    },
    fr: (kind, { subject, detail, businessName, who, app }) => {
      const by = app === null ? who : `« ${app} » (connectée par ${who})`
      const texts = {
        webhook: {
          subject: `Un webhook envoie des événements de ${businessName} à ${subject}`,
          message: `${by} a créé un webhook qui envoie des événements de « ${businessName} » à ${subject}, où rien n’était envoyé jusqu’ici.`,
          button: 'Mettre ce webhook en pause',
          terms: 'Pendant la pause, les événements attendent.',
        },
        export: {
          subject: `Des données de ${businessName} ont été exportées`,
          message: `${by} a exporté des données de « ${businessName} » (${subject}).`,
          button: 'Voir le journal d’audit',
          terms: 'Le lien vers le fichier est valable une heure.',
        },
        domain: {
          subject: `Le domaine ${subject} a été retiré de ${businessName}`,
          message: `${by} a retiré le domaine d’envoi ${subject} de « ${businessName} ». Plus rien n’est envoyé depuis ce domaine.`,
          button: 'Voir le journal d’audit',
          terms: 'Pour l’utiliser de nouveau, ajoutez-le et refaites ses enregistrements.',
        },
        removals: {
          subject: `Plus de ${quietRemovals} personnes effacées ou fusionnées dans ${businessName}`,
          message: `En une heure, ${subject} personnes de « ${businessName} » ont été effacées ou fusionnées, la dernière par ${app === null ? who : `« ${app} »`}.`,
          button: 'Voir le journal d’audit',
          terms: 'Ni l’un ni l’autre ne peut être annulé.',
        },
        held: {
          subject: `${subject === 'contact.merge' ? 'Une fusion de contacts' : subject === 'contact.erase' ? 'L’effacement d’autres personnes' : `Le retrait du domaine ${subject}`} attend 24 heures dans ${businessName}`,
          message: `${by} veut ${subject === 'contact.merge' ? `fusionner des contacts de « ${businessName} »` : subject === 'contact.erase' ? `effacer plus de cinq personnes de « ${businessName} » en un jour` : `retirer le domaine d’envoi ${subject} de « ${businessName} »`}. Ce sera fait dans 24 heures, sauf si vous l’annulez.`,
          button: 'Voir ce qui attend',
          terms:
            'Vous pouvez l’y annuler ou le faire exécuter tout de suite. Il y a un tel e-mail par jour au sujet de cette application, et un par domaine.',
        },
        proposed: {
          subject: `${subject} e-mails proposés vous attendent dans ${businessName}`,
          message: `${by} a écrit ${subject} e-mails à des personnes de « ${businessName} ». Aucun n’est envoyé avant d’être approuvé.`,
          button: 'Lire les e-mails',
          terms: 'Vous pouvez les modifier, les approuver ou les refuser avec un motif.',
        },
        failing: {
          subject: `Des événements de ${businessName} n’arrivent pas à ${subject}`,
          message: `Le destinataire d’un webhook sur ${subject} est en échec : des événements de « ${businessName} » n’y arrivent pas. ${detail === '' ? 'La dernière tentative est restée sans réponse.' : `La dernière tentative a reçu la réponse ${detail}.`}`,
          button: 'Voir le webhook',
          terms:
            'Chaque événement est tenté sept fois en 21 heures et conservé 30 jours : vous pouvez renvoyer ce qui n’a pas été livré.',
        },
        feed: {
          subject: `Le flux « ${subject} » de ${businessName} est illisible`,
          message: `Crier a essayé trois fois de lire le flux « ${subject} » de « ${businessName} », sans succès (${feedProblemIn('fr', detail)}). D’ici là, il n’en fait aucun e-mail.`,
          button: 'Voir les flux',
          terms:
            'Crier réessaie au moins une fois par jour. Ce qui paraît entre-temps sera envoyé plus tard.',
        },
      }[kind]
      return { ...texts, otherwise: 'Si vous êtes au courant, vous n’avez rien à faire.' }
    },
  }
