/** Tells a person by mail what became of their second factors, in case it was not they. */
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds, type TellWorker } from '../../lib/jobs/job.ts'
import { hours, seconds } from '../../lib/time/clock.ts'
import { type MailLanguage, mailLanguageAmong } from '../businesses/mail-language.ts'
import { adminsOf, ownersOf } from '../businesses/memberships.ts'
import type { EventDetails, FactorEvent } from './factor.ts'

export interface FactorNotice {
  userId: Id<'user'>
  event: FactorEvent
  details?: EventDetails
  now: Date
}

export interface FactorNotices {
  /** Queues the mail; the job commits with what it tells. */
  queue(tx: Tx, notice: FactorNotice): Promise<void>
}

const noticeJob = 'people.factor-mail'

const retryDelays = [seconds(30), seconds(300), hours(1), hours(6)]

interface NoticePayload {
  user_id: Id<'user'>
  event: FactorEvent
  details: EventDetails
  at: string
}

export function factorNotices(wake: TellWorker): FactorNotices {
  return {
    async queue(tx, { userId, event, details = {}, now }) {
      const payload: NoticePayload = { user_id: userId, event, details, at: now.toISOString() }
      await enqueue(tx, [{ kind: noticeJob, businessId: null, payload }], now, wake)
    },
  }
}

/** What the people who decide about a member are told. */
interface MemberNews {
  businessId: Id<'business'>
  event: FactorEvent
  /** The member, who is not told. */
  userId?: Id<'user'>
  email?: string
  details?: EventDetails
  now: Date
}

/** Returns how many owners there are to tell. */
export async function tellOwners(
  tx: Tx,
  notices: FactorNotices,
  news: MemberNews,
): Promise<number> {
  return tell(tx, notices, { ...news, people: await ownersOf(tx, news.businessId) })
}

export async function tellAdmins(
  tx: Tx,
  notices: FactorNotices,
  news: MemberNews,
): Promise<number> {
  return tell(tx, notices, { ...news, people: await adminsOf(tx, news.businessId) })
}

async function tell(
  tx: Tx,
  notices: FactorNotices,
  { businessId, event, userId, email, details, now, people }: MemberNews & { people: Id<'user'>[] },
): Promise<number> {
  const others = people.filter((person) => person !== userId)
  const { name: business } = await tx.one<{ name: string }>(sql`
    select name from businesses where id = ${businessId}
  `)
  const allDetails = { business, businessId, ...(email !== undefined && { email }), ...details }
  for (const person of others) {
    await notices.queue(tx, { userId: person, event, details: allDetails, now })
  }
  return others.length
}

export interface NoticeDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export function factorNoticeJobs(deps: NoticeDeps): JobKinds {
  return {
    [noticeJob]: {
      retryDelays,
      timeoutMs: seconds(60),
      run: (job) => sendNotice(deps, job as Job<NoticePayload>),
    },
  }
}

async function sendNotice(
  { db, mailer, urls, mailFrom }: NoticeDeps,
  { id, payload }: Job<NoticePayload>,
): Promise<void> {
  const { user_id, event, details, at } = payload
  const person = await readerOf(db, user_id)
  if (!person) return
  const { email, language } = person
  const { factorMailWords } = await import('./notice-words.ts')
  const words = factorMailWords(language, { event, details, at: new Date(at) })
  const page = details.businessId
    ? `${formatId('business', details.businessId)}/members`
    : 'sessions'
  const mail = serviceMail({ ...words, url: `${urls.appUrl}/b/${page}`, language })
  await mailer.send({ name: `factor.${id}`, from: mailFrom, to: email, ...mail })
}

/** Where a person gets mail about their account, and in which language. */
export async function readerOf(
  db: Db,
  userId: Id<'user'>,
): Promise<{ email: string; language: MailLanguage } | undefined> {
  const person = await db.maybe<{ email: string; language: string | null }>(sql`
    select u.email, (
      select b.language from memberships m join businesses b on b.id = m.business_id
      where m.user_id = u.id order by m.created_at, m.business_id limit 1
    ) as language
    from users u where u.id = ${userId}
  `)
  return (
    person && { email: person.email, language: mailLanguageAmong([person.language ?? undefined]) }
  )
}
