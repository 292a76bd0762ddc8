/**
 * Mails to owners about what takes data out of the business or cannot be undone, by whomever: each
 * webhook to a new host, each export, each removed domain, and many erasures and merges in an hour.
 * Entries of the audit log cause them, so that no way of doing it is left out.
 */
import { type MailLanguage, mailLanguageOf } from '../accounts/businesses/mail-language.ts'
import { ownersOf } from '../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../core/ids.ts'
import { pressUrl } from '../core/press-link.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { type ServiceMailWords, serviceMail, withoutLinks } from '../lib/email/service-mail.ts'
import { enqueue } from '../lib/jobs/enqueue.ts'
import type { Job, JobKinds } from '../lib/jobs/job.ts'
import { type Clock, hours, later, seconds } from '../lib/time/clock.ts'
import type { AuditEntry } from './audit.ts'

/** How many erasures and merges of an hour nobody is told of. */
export const quietRemovals = 20

const noticeJob = 'owners.notice'

type Kind = 'webhook' | 'export' | 'domain' | 'removals'

interface Notice {
  kind: Kind
  /** A host, a domain, or the id of a person or kind that was exported. */
  what: string
  webhook?: string
}

interface NoticePayload extends Notice {
  business_id: Id<'business'>
  owner_id: Id<'user'>
  user_id: Id<'user'> | null
  connection_id: Id<'connection'> | null
}

const removals: ReadonlySet<string> = new Set(['contact.erase', 'contact.merge'])

function noticeOf({ action, subject = '', details = {} }: AuditEntry): Notice | undefined {
  const host = details['new_host']
  if (action === 'webhook.save' && typeof host === 'string') {
    return { kind: 'webhook', what: host, webhook: subject }
  }
  if (action === 'domain.remove') return { kind: 'domain', what: subject }
  if (action === 'export.create') return { kind: 'export', what: String(details['of'] ?? '') }
  if (action === 'contact.export') return { kind: 'export', what: subject }
  if (action === 'audit.export') return { kind: 'export', what: 'audit' }
  return undefined
}

/** Called with entries that have been written, in their transaction. */
export async function queueOwnerNotices(
  tx: Tx,
  entries: readonly AuditEntry[],
  now: Date,
): Promise<void> {
  for (const entry of entries) {
    const notice = noticeOf(entry)
    if (notice) await queueFor(tx, entry, { notice, now })
  }
  const byBusiness = Map.groupBy(
    entries.filter(({ action }) => removals.has(action)),
    ({ businessId }) => businessId,
  )
  for (const [businessId, removed] of byBusiness) {
    const { people } = await tx.one<{ people: number }>(sql`
      select count(*)::int as people from (
        select from audit_entries
        where business_id = ${businessId} and action in ('contact.erase', 'contact.merge')
          and created_at > ${later(now, -hours(1))}
        limit ${quietRemovals + removed.length + 1}
      ) recent
    `)
    // Once, when the number is passed.
    if (people <= quietRemovals || people - removed.length > quietRemovals) continue
    const entry = removed[0] as AuditEntry
    await queueFor(tx, entry, { notice: { kind: 'removals', what: `${people}` }, now })
  }
}

async function queueFor(
  tx: Tx,
  { businessId, userId, origin }: AuditEntry,
  { notice, now }: { notice: Notice; now: Date },
): Promise<void> {
  const owners = await ownersOf(tx, businessId)
  const jobs = owners.map((owner_id) => {
    const payload: NoticePayload = {
      ...notice,
      business_id: businessId,
      owner_id,
      user_id: userId ?? origin?.userId ?? null,
      connection_id: origin?.connectionId ?? null,
    }
    return { kind: noticeJob, lane: businessId, payload }
  })
  await enqueue(tx, jobs, now)
}

export interface OwnerNoticeDeps {
  db: Db
  clock: Clock
  vault: Pick<Vault, 'seal' | 'open'>
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export function ownerNoticeJobs(deps: OwnerNoticeDeps): JobKinds {
  return {
    [noticeJob]: {
      retryDelays: [seconds(30), seconds(300), hours(1), hours(6)],
      timeoutMs: seconds(60),
      run: (job) => sendNotice(deps, job as Job<NoticePayload>),
    },
  }
}

async function sendNotice(
  { db, clock, vault, mailer, urls: { appUrl }, mailFrom }: OwnerNoticeDeps,
  { id, payload }: Job<NoticePayload>,
): Promise<void> {
  const { business_id: businessId, owner_id, kind, what, webhook } = payload
  const names = await findNames(db, payload)
  if (!names) return
  const language = await mailLanguageOf(db, businessId)
  const business = formatId('business', businessId)
  const page = (path: string) => `${appUrl}/b/${business}/${path}`
  const words = wordsIn[language](kind, {
    what: withoutLinks(what),
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
  const mail = serviceMail({ ...words, url: press ?? page('audit'), language })
  await mailer.send({ name: `notice.${id}`, from: mailFrom, to: names.to, ...mail })
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
  { business_id, owner_id, user_id, connection_id }: NoticePayload,
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

interface Told {
  what: string
  businessName: string
  who: string
  app: string | null
}

const wordsIn: Record<MailLanguage, (kind: Kind, told: Told) => ServiceMailWords> = {
  en: (kind, { what, businessName, who, app }) => {
    const by = app === null ? who : `“${app}”, which ${who} connected,`
    const said = {
      webhook: {
        subject: `A webhook sends events of ${businessName} to ${what}`,
        message: `${by} has made a webhook that sends events of “${businessName}” to ${what}, where nothing was sent before.`,
        button: 'Pause this webhook',
        terms: 'Events wait while it is paused.',
      },
      export: {
        subject: `Data of ${businessName} was exported`,
        message: `${by} has exported data of “${businessName}” (${what}).`,
        button: 'See the audit log',
        terms: 'The link to the file works for an hour.',
      },
      domain: {
        subject: `The domain ${what} was removed from ${businessName}`,
        message: `${by} has removed the sender domain ${what} from “${businessName}”. Nothing is sent from it any more.`,
        button: 'See the audit log',
        terms: 'To send from it again, add it and set its records anew.',
      },
      removals: {
        subject: `More than ${quietRemovals} people were erased or merged in ${businessName}`,
        message: `Within an hour ${what} people of “${businessName}” were erased or merged, the last of them by ${app === null ? who : `“${app}”`}.`,
        button: 'See the audit log',
        terms: 'Neither can be undone.',
      },
    }[kind]
    return { ...said, otherwise: 'If you know about it, you need not do anything.' }
  },
  de: (kind, { what, businessName, who, app }) => {
    const by = app === null ? who : `„${app}“ (verbunden von ${who})`
    const said = {
      webhook: {
        subject: `Ein Webhook sendet Ereignisse von ${businessName} an ${what}`,
        message: `${by} hat einen Webhook angelegt, der Ereignisse von „${businessName}“ an ${what} sendet. Dorthin wurde bisher nichts gesendet.`,
        button: 'Diesen Webhook pausieren',
        terms: 'Solange er pausiert ist, warten Ereignisse.',
      },
      export: {
        subject: `Daten von ${businessName} wurden exportiert`,
        message: `${by} hat Daten von „${businessName}“ exportiert (${what}).`,
        button: 'Audit-Log ansehen',
        terms: 'Der Link zur Datei gilt eine Stunde.',
      },
      domain: {
        subject: `Die Domain ${what} wurde aus ${businessName} entfernt`,
        message: `${by} hat die Absenderdomain ${what} aus „${businessName}“ entfernt. Von ihr wird nichts mehr gesendet.`,
        button: 'Audit-Log ansehen',
        terms: 'Um wieder von ihr zu senden, fügen Sie sie hinzu und setzen Sie ihre Einträge neu.',
      },
      removals: {
        subject: `Mehr als ${quietRemovals} Personen wurden in ${businessName} gelöscht oder zusammengeführt`,
        message: `In einer Stunde wurden ${what} Personen von „${businessName}“ gelöscht oder zusammengeführt, zuletzt von ${app === null ? who : `„${app}“`}.`,
        button: 'Audit-Log ansehen',
        terms: 'Beides lässt sich nicht rückgängig machen.',
      },
    }[kind]
    return { ...said, otherwise: 'Wenn Sie davon wissen, müssen Sie nichts tun.' }
  },
  fr: (kind, { what, businessName, who, app }) => {
    const by = app === null ? who : `« ${app} » (connectée par ${who})`
    const said = {
      webhook: {
        subject: `Un webhook envoie des événements de ${businessName} à ${what}`,
        message: `${by} a créé un webhook qui envoie des événements de « ${businessName} » à ${what}, où rien n’était envoyé jusqu’ici.`,
        button: 'Mettre ce webhook en pause',
        terms: 'Pendant la pause, les événements attendent.',
      },
      export: {
        subject: `Des données de ${businessName} ont été exportées`,
        message: `${by} a exporté des données de « ${businessName} » (${what}).`,
        button: 'Voir le journal d’audit',
        terms: 'Le lien vers le fichier est valable une heure.',
      },
      domain: {
        subject: `Le domaine ${what} a été retiré de ${businessName}`,
        message: `${by} a retiré le domaine d’envoi ${what} de « ${businessName} ». Plus rien n’est envoyé depuis ce domaine.`,
        button: 'Voir le journal d’audit',
        terms: 'Pour l’utiliser de nouveau, ajoutez-le et refaites ses enregistrements.',
      },
      removals: {
        subject: `Plus de ${quietRemovals} personnes effacées ou fusionnées dans ${businessName}`,
        message: `En une heure, ${what} personnes de « ${businessName} » ont été effacées ou fusionnées, la dernière par ${app === null ? who : `« ${app} »`}.`,
        button: 'Voir le journal d’audit',
        terms: 'Ni l’un ni l’autre ne peut être annulé.',
      },
    }[kind]
    return { ...said, otherwise: 'Si vous êtes au courant, vous n’avez rien à faire.' }
  },
}
