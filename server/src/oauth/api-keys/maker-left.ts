/** Ends the keys of a person whose membership ends, and notifies the owners. */

import { mailLanguageOf } from '../../accounts/businesses/mail-language.ts'
import { ownersOf } from '../../accounts/businesses/memberships.ts'
import type { Leaving } from '../../accounts/members/leaving.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds, type TellWorker } from '../../lib/jobs/job.ts'
import { hours, seconds } from '../../lib/time/clock.ts'
import { endKeysOf, selectKeysOf, selectNotice } from './key-queries.ts'

const noticeJob = 'oauth.keys-ended-mail'

const retryDelays = [seconds(30), seconds(300), hours(1), hours(6)]

/** The most keys that the mail names. */
const mostNamed = 20

interface NoticePayload {
  business_id: Id<'business'>
  owner_id: Id<'user'>
  maker_id: Id<'user'>
  keys: string[]
}

export function keysOfLeavers(wake: TellWorker): Leaving {
  return {
    async left(tx, { businessId, userId, now }) {
      const keys = await selectKeysOf(tx, businessId, userId)
      if (keys.length === 0) return
      const owners = await ownersOf(tx, businessId)
      const jobs = owners.map((owner_id) => {
        const payload: NoticePayload = {
          business_id: businessId,
          owner_id,
          maker_id: userId,
          keys: keys.slice(0, mostNamed),
        }
        return { kind: noticeJob, businessId, payload }
      })
      await enqueue(tx, jobs, now, wake)
      await endKeysOf(tx, businessId, { userId, now })
    },
  }
}

export interface NoticeDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

export function keyNoticeJobs(deps: NoticeDeps): JobKinds {
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
  const { business_id, owner_id: ownerId, maker_id: makerId, keys } = payload
  const notice = await selectNotice(db, business_id, { ownerId, makerId })
  if (!notice) return
  const name = `keys-ended.${id}`
  const url = `${urls.appUrl}/b/${formatId('business', business_id)}/keys`
  const language = await mailLanguageOf(db, business_id)
  const { keysEndedWords } = await import('./keys-ended-words.ts')
  const mail = serviceMail({ ...keysEndedWords(language, notice, keys), url, language })
  await mailer.send({ name, from: mailFrom, to: notice.to, ...mail })
}
