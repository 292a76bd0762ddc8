/** Tells a person by mail what became of their passkeys, in case it was not they. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds, type TellWorker } from '../../lib/jobs/job.ts'
import { hours, seconds } from '../../lib/time/clock.ts'
import { mailLanguageAmong } from '../businesses/mail-language.ts'
import type { PasskeyEvent } from './passkey.ts'

export interface PasskeyNotice {
  userId: Id<'user'>
  event: PasskeyEvent
  /** The passkey's. */
  name: string
  now: Date
}

export interface PasskeyNotices {
  /** Queues the mail; the job commits with what it tells. */
  queue(tx: Tx, notice: PasskeyNotice): Promise<void>
}

const noticeJob = 'people.passkey-mail'

const retryDelays = [seconds(30), seconds(300), hours(1), hours(6)]

interface NoticePayload {
  user_id: Id<'user'>
  event: PasskeyEvent
  name: string
  at: string
}

export function passkeyNotices(wake: TellWorker): PasskeyNotices {
  return {
    async queue(tx, { userId, event, name, now }) {
      const payload: NoticePayload = { user_id: userId, event, name, at: now.toISOString() }
      await enqueue(tx, [{ kind: noticeJob, businessId: null, payload }], now, wake)
    },
  }
}

export interface NoticeDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export function passkeyNoticeJobs(deps: NoticeDeps): JobKinds {
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
  const { user_id, event, name, at } = payload
  const person = await db.maybe<{ email: string; language: string | null }>(sql`
    select u.email, (
      select b.language from memberships m join businesses b on b.id = m.business_id
      where m.user_id = u.id order by m.created_at, m.business_id limit 1
    ) as language
    from users u where u.id = ${user_id}
  `)
  if (!person) return
  const language = mailLanguageAmong([person.language ?? undefined])
  const { passkeyMailWords } = await import('./notice-words.ts')
  const words = passkeyMailWords(language, { event, name, at: new Date(at) })
  const mail = serviceMail({ ...words, url: `${urls.appUrl}/b/sessions`, language })
  await mailer.send({ name: `passkey.${id}`, from: mailFrom, to: person.email, ...mail })
}
