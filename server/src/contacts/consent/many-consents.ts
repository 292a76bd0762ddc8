/**
 * Consents that an OAuth connection records are counted, because an assistant may have made them up.
 * The owners get a mail about each connection that records more than 20 in a day (UTC).
 */
import { type MailLanguage, mailLanguageOf } from '../../accounts/businesses/mail-language.ts'
import { ownersOf } from '../../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { type ServiceMailWords, serviceMail, withoutLinks } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds } from '../../lib/jobs/job.ts'
import { hours, seconds } from '../../lib/time/clock.ts'

/** How many consents of a day nobody is told of. */
export const quietConsents = 20

const mailJob = 'consent.many-mail'

interface MailPayload {
  business_id: Id<'business'>
  owner_id: Id<'user'>
  connection_id: Id<'connection'>
  /** `2026-11-27`. */
  day: string
}

/** People for whom one call, or one step of it, records that they subscribed. */
export interface RecordedConsents {
  businessId: Id<'business'>
  connectionId: Id<'connection'>
  people: number
}

/** Counts consents of connections, and queues the mails where one goes beyond the quiet number. */
export async function countConsents(
  tx: Tx,
  recorded: readonly RecordedConsents[],
  now: Date,
): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  // In the order of their ids, so that two transactions cannot wait for each other.
  const sorted = recorded.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  for (const consents of sorted) {
    const counted = await addConsents(tx, consents, day)
    // Undefined for an API key, which is not counted.
    if (!counted || counted.people <= quietConsents) continue
    if (counted.people - consents.people > quietConsents) continue
    await queueMails(tx, consents, { day, now })
  }
}

const nameOf = ({ businessId, connectionId }: RecordedConsents) => `${businessId} ${connectionId}`

async function queueMails(
  tx: Tx,
  { businessId, connectionId }: RecordedConsents,
  { day, now }: { day: string; now: Date },
): Promise<void> {
  const owners = await ownersOf(tx, businessId)
  const jobs = owners.map((owner_id) => {
    const payload: MailPayload = {
      business_id: businessId,
      owner_id,
      connection_id: connectionId,
      day,
    }
    return { kind: mailJob, businessId, payload }
  })
  await enqueue(tx, jobs, now)
}

export interface ManyConsentsDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export function manyConsentsJobs(deps: ManyConsentsDeps): JobKinds {
  return {
    [mailJob]: {
      retryDelays: [seconds(30), seconds(300), hours(1), hours(6)],
      timeoutMs: seconds(60),
      run: (job) => sendMail(deps, job as Job<MailPayload>),
    },
  }
}

async function sendMail(
  { db, mailer, urls: { appUrl }, mailFrom }: ManyConsentsDeps,
  { id, payload }: Job<MailPayload>,
): Promise<void> {
  const { business_id: businessId } = payload
  const notice = await findNotice(db, payload)
  if (!notice) return
  const language = await mailLanguageOf(db, businessId)
  const business = `${appUrl}/b/${formatId('business', businessId)}`
  const pages = { connections: `${appUrl}/b/connections`, members: `${business}/members` }
  const words = manyConsentsWords[language](withNamesOf(notice), pages)
  const mail = serviceMail({ ...words, url: `${business}/contacts`, language })
  await mailer.send({ name: `many-consents.${id}`, from: mailFrom, to: notice.to, ...mail })
}

interface Notice {
  to: string
  businessName: string
  clientName: string
  connectedBy: string
  people: number
}

/** What strangers wrote must not become a link. */
const withNamesOf = (notice: Notice): Notice => ({
  ...notice,
  businessName: withoutLinks(notice.businessName),
  clientName: withoutLinks(notice.clientName),
  connectedBy: withoutLinks(notice.connectedBy),
})

interface Pages {
  connections: string
  members: string
}

export const manyConsentsWords: Record<
  MailLanguage,
  (notice: Notice, pages: Pages) => ServiceMailWords
> = {
  en: ({ businessName, clientName, connectedBy, people }, { connections, members }) => ({
    subject: `${people} people subscribed by a connected app today`,
    message: `The app “${clientName}”, which ${connectedBy} connected, has recorded today that ${people} people of “${businessName}” agreed to your messages. Crier cannot know whether they did: an assistant may have made it up.`,
    button: 'See the newest contacts',
    terms: `If this is not right, end the connection before you send anything: ${connectedBy} does so in the app (${connections}). An owner can also remove them from the members (${members}), which ends it too.`,
    otherwise:
      'Each contact’s page shows where its consent comes from. There is one such mail a day for each connection, however many consents follow.',
  }),
  de: ({ businessName, clientName, connectedBy, people }, { connections, members }) => ({
    subject: `${people} Anmeldungen durch eine verbundene App heute`,
    message: `Die App „${clientName}“, die ${connectedBy} verbunden hat, hat heute für ${people} Personen in „${businessName}“ eine Einwilligung in Ihre Nachrichten eingetragen. Ob sie eingewilligt haben, kann Crier nicht wissen: Ein Assistent kann es erfunden haben.`,
    button: 'Die neuesten Kontakte ansehen',
    terms: `Wenn das nicht stimmt, beenden Sie die Verbindung, bevor Sie etwas senden: ${connectedBy} kann das in der App tun (${connections}). Sie können die Person auch aus den Mitgliedern entfernen (${members}), dann endet die Verbindung ebenfalls.`,
    otherwise:
      'Die Seite jedes Kontakts zeigt, woher seine Einwilligung stammt. Zu jeder Verbindung kommt höchstens eine solche Mail am Tag, auch wenn weitere Einwilligungen folgen.',
  }),
  fr: ({ businessName, clientName, connectedBy, people }, { connections, members }) => ({
    subject: `${people} inscriptions par une application connectée aujourd’hui`,
    message: `L’application « ${clientName} », connectée par ${connectedBy}, a enregistré aujourd’hui que ${people} personnes de « ${businessName} » ont accepté vos messages. Crier ne peut pas savoir si c’est vrai : un assistant a pu l’inventer.`,
    button: 'Voir les contacts les plus récents',
    terms: `Si c’est inexact, mettez fin à la connexion avant tout envoi : ${connectedBy} peut le faire dans l’application (${connections}). Un propriétaire peut aussi retirer cette personne des membres (${members}), ce qui y met fin également.`,
    otherwise:
      'La page de chaque contact indique d’où vient son consentement. Il n’y a qu’un seul e-mail de ce type par jour et par connexion, quel que soit le nombre de consentements suivants.',
  }),
}

/** Adds people to the count of the day, and returns it. Undefined for an API key. */
function addConsents(
  tx: Tx,
  { businessId, connectionId, people }: RecordedConsents,
  day: string,
): Promise<{ people: number } | undefined> {
  return tx.maybe(sql`
    insert into connection_consents as counted (business_id, connection_id, day, people)
    select ${businessId}, id, ${day}::date, ${people}::int from connections
    where id = ${connectionId} and client_id is not null
    on conflict (business_id, connection_id) do update set day = excluded.day,
      people = case when counted.day = excluded.day then counted.people else 0 end
        + excluded.people
    returning people
  `)
}

/** Undefined if the person is no longer an owner, the connection has ended, or the day is over. */
function findNotice(
  db: Db,
  { business_id, owner_id, connection_id, day }: MailPayload,
): Promise<Notice | undefined> {
  return db.maybe(sql`
    select owner.email as to, b.name as "businessName", client.name as "clientName",
      maker.email as "connectedBy", counted.people
    from connection_consents counted
    join memberships m on m.business_id = counted.business_id and m.user_id = ${owner_id}
      and m.role = 'owner'
    join users owner on owner.id = m.user_id
    join businesses b on b.id = counted.business_id
    join connections c on c.id = counted.connection_id
    join oauth_clients client on client.id = c.client_id
    join users maker on maker.id = c.user_id
    where counted.business_id = ${business_id} and counted.connection_id = ${connection_id}
      and counted.day = ${day}::date
  `)
}
