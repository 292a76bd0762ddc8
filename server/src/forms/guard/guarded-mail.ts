/** Notifies the people who run a business by mail that one of its forms is abused. */

import { mailLanguageOf } from '../../accounts/businesses/mail-language.ts'
import { approversOf } from '../../accounts/businesses/memberships.ts'
import type { FormOfConfirmations } from '../../contacts/consent/form-confirmations.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job } from '../../lib/jobs/job.ts'

export const guardedMailJob = 'form.guarded-mail'

interface GuardedMailPayload {
  business_id: Id<'business'>
  form_id: Id<'form'>
  user_id: Id<'user'>
}

export interface GuardedMailDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

/** Queues a mail for each admin and owner, in the transaction that guards the form. */
export async function queueGuardedMails(
  tx: Tx,
  { businessId, formId }: FormOfConfirmations,
  now: Date,
): Promise<void> {
  const people = await approversOf(tx, businessId)
  const jobs = people.map(({ userId }) => {
    const payload: GuardedMailPayload = {
      business_id: businessId,
      form_id: formId,
      user_id: userId,
    }
    return { kind: guardedMailJob, lane: businessId, payload }
  })
  if (jobs.length > 0) await enqueue(tx, jobs, now)
}

/** Sends nothing if the form is no longer guarded, or the person is no longer an admin or owner. */
export async function sendGuardedMail(
  { db, mailer, urls, mailFrom }: GuardedMailDeps,
  { id, payload }: Job<GuardedMailPayload>,
): Promise<void> {
  const { business_id: businessId, form_id: formId, user_id: userId } = payload
  const [state, people, language, { guardedWords }] = await Promise.all([
    findGuard(db, businessId, formId),
    approversOf(db, businessId),
    mailLanguageOf(db, businessId),
    import('./guarded-mail-words.ts'),
  ])
  const person = people.find((approver) => approver.userId === userId)
  if (!state?.guardedSince || state.guardedUntil || !person) return
  const url = `${urls.appUrl}/b/${formatId('business', businessId)}/forms/${formatId('form', formId)}`
  const name = `${formatId('form', formId)}.${id}`
  const words = guardedWords(language, { form: state.name, business: person.businessName })
  const mail = serviceMail({ ...words, url, language })
  await mailer.send({ name, from: mailFrom, to: person.email, ...mail })
}

export function findGuard(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): Promise<GuardState | undefined> {
  return db.maybe(sql`
    select name, guarded_since as "guardedSince", guarded_until as "guardedUntil" from forms
    where business_id = ${businessId} and id = ${formId}
  `)
}

export interface GuardState {
  name: string
  guardedSince: Date | null
  /** When the guarding ended; null while it lasts. */
  guardedUntil: Date | null
}
