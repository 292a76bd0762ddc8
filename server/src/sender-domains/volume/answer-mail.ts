/** Notifies the owners by mail of the operator's answer to a statement of past volume. */

import { ownersOf } from '../../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { chooseLanguage } from '../../core/recipient-words/languages.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail, withoutLinks } from '../../lib/email/service-mail.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import type { Job } from '../../lib/jobs/job.ts'
import { findAnswer } from './answer-queries.ts'
import { answerWords } from './answer-words.ts'
import type { DomainKey } from './volume-queries.ts'

/** The worker loads this file only for such a job, because operators answer rarely. */
const answerMailJob = 'domain.volume-answer-mail'

interface AnswerPayload {
  business_id: Id<'business'>
  domain_id: Id<'domain'>
  owner_id: Id<'user'>
  begins_at_day: number
  /** Whether it was approved before. */
  withdrawn?: boolean
}

export interface AnswerMailDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

/** Queues a mail for each owner, in the transaction that stores the answer. */
export async function queueAnswerMails(
  tx: Tx,
  { businessId, domainId }: DomainKey,
  { beginsAtDay, withdrawn = false, now }: { beginsAtDay: number; withdrawn?: boolean; now: Date },
): Promise<void> {
  const owners = await ownersOf(tx, businessId)
  const jobs = owners.map((owner_id) => {
    const payload: AnswerPayload = {
      business_id: businessId,
      domain_id: domainId,
      owner_id,
      begins_at_day: beginsAtDay,
      ...(withdrawn && { withdrawn }),
    }
    return { kind: answerMailJob, lane: businessId, payload }
  })
  await enqueue(tx, jobs, now)
}

/** Sends nothing if the owner has stated anew since, or is no longer an owner. */
export async function sendAnswerMail(
  { db, mailer, urls, mailFrom }: AnswerMailDeps,
  { id, payload: told }: Job,
): Promise<void> {
  const {
    business_id: businessId,
    domain_id: domainId,
    owner_id: ownerId,
    begins_at_day: beginsAtDay,
    withdrawn = false,
  } = told as AnswerPayload
  const found = await findAnswer(db, { businessId, domainId }, ownerId)
  if (!found) return
  const language = chooseLanguage(found.language)
  const answer = found.answer === null ? null : withoutLinks(found.answer)
  const words = answerWords(language, { ...found, answer, beginsAtDay, withdrawn })
  const url = `${urls.appUrl}/b/${formatId('business', businessId)}/domains`
  const name = `${formatId('domain', domainId)}.${id}`
  const mail = serviceMail({ ...words, url, language: language === 'de' ? 'de' : 'en' })
  await mailer.send({ name, from: mailFrom, to: found.to, ...mail })
}
