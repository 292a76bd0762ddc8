/**
 * Guards forms against abuse. Strangers could be flooded with confirmation mails, so the job that
 * sends such a mail decides here whether it is sent or held (docs/design/forms.md).
 */
import { mailLanguageOf } from '../../accounts/businesses/mail-language.ts'
import { approversOf } from '../../accounts/businesses/memberships.ts'
import {
  type FormOfConfirmations,
  heldCount,
  type Response,
  responseOf,
  responseOfApp,
} from '../../contacts/consent/form-confirmations.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail } from '../../lib/email/service-mail.ts'
import { enqueue, type Job, type JobKinds, type Verdict } from '../../lib/jobs/job.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { type Clock, hours, later, seconds } from '../../lib/time/clock.ts'
import { guardLimits } from './limits.ts'

export const guardCheckJob = 'form.guard-check'

interface GuardPayload {
  business_id: FormOfConfirmations['businessId']
  form_id: FormOfConfirmations['formId']
}

interface MailOfForm extends FormOfConfirmations {
  /** Whether nobody solved a challenge although the form was guarded. */
  unproven: boolean
  /** The connection that filled it in; null if a person did. */
  connectionId: Id<'connection'> | null
}

const isGuarded = ({ guardedSince, guardedUntil }: GuardState) =>
  guardedSince !== null && guardedUntil === null

/** What the domain of subscriptions checks before it sends a confirmation that came by a form. */
export function formGuard(vault: Pick<Vault, 'hmac'>) {
  return {
    guardMail: (tx: Tx, mail: MailOfForm, now: Date) => guardMail(tx, vault, mail, now),
    mayRemind,
  }
}

/** Decides whether the mail is sent or held; the form stays locked until the transaction ends. */
async function guardMail(
  tx: Tx,
  vault: Pick<Vault, 'hmac'>,
  mail: MailOfForm,
  now: Date,
): Promise<'send' | 'hold'> {
  const state = await lockGuard(tx, mail.businessId, mail.formId)
  if (!state) return 'send'
  // An app that fills in many forms for strangers is judged by all of them.
  const isByAbusiveApp = await isAbusiveApp(tx, mail, now)
  if (!isGuarded(state)) {
    if (!isByAbusiveApp && !(await isAbusedNow(tx, mail, now))) return 'send'
    await turnGuarded(tx, mail, now)
  }
  if (mail.unproven) return 'hold'
  const over = await countAttempt(tx, vault, {
    purpose: 'form.guarded-mail',
    subject: isByAbusiveApp ? `${mail.businessId} ${mail.connectionId}` : mail.formId,
    limit: guardLimits.mailsPerHour,
    windowMs: hours(1),
    now,
  })
  return over ? 'hold' : 'send'
}

/** A person mailed during the abuse gets no reminder: most likely they never requested it. */
async function mayRemind(
  db: Db,
  { businessId, formId }: FormOfConfirmations,
  askedAt: Date,
): Promise<boolean> {
  const state = await findGuard(db, businessId, formId)
  if (!state?.guardedSince) return true
  const { guardedSince, guardedUntil } = state
  const isBefore = askedAt < later(guardedSince, -guardLimits.sampleMs)
  return isBefore || (guardedUntil !== null && askedAt > guardedUntil)
}

/** Ends the guarding of a form that is no longer abused; returns whether it is still guarded. */
async function checkGuard(
  tx: Tx,
  { businessId, formId }: FormOfConfirmations,
  now: Date,
): Promise<boolean> {
  const state = await lockGuard(tx, businessId, formId)
  if (!state?.guardedSince || !isGuarded(state)) return false
  const form = { businessId, formId }
  const heldConfirmations = await heldCount(tx, form, later(now, -guardLimits.checkMs))
  if (heldConfirmations > guardLimits.heldPerCheck || (await isAbusedNow(tx, form, now)))
    return true
  await setGuard(tx, businessId, formId, { since: state.guardedSince, until: now })
  return false
}

async function isAbusedNow(tx: Tx, form: FormOfConfirmations, now: Date): Promise<boolean> {
  return isAbused(await responseOf(tx, form, sampleAt(now)))
}

async function isAbusiveApp(
  tx: Tx,
  { businessId, connectionId }: Pick<MailOfForm, 'businessId' | 'connectionId'>,
  now: Date,
): Promise<boolean> {
  if (connectionId === null) return false
  return isAbused(await responseOfApp(tx, { businessId, connectionId }, sampleAt(now)))
}

function sampleAt(now: Date) {
  const { sampleMs, sampleMost, answerMs } = guardLimits
  return {
    since: later(now, -sampleMs),
    mailedBefore: later(now, -answerMs),
    answerMs,
    limit: sampleMost,
  }
}

async function turnGuarded(
  tx: Tx,
  { businessId, formId }: FormOfConfirmations,
  now: Date,
): Promise<void> {
  await setGuard(tx, businessId, formId, { since: now, until: null })
  const payload: GuardPayload = { business_id: businessId, form_id: formId }
  const dueAt = later(now, guardLimits.checkMs)
  await enqueue(tx, [{ kind: guardCheckJob, businessId, payload, dueAt }], now)
  await queueGuardedMails(tx, { businessId, formId }, now)
}

/**
 * People who requested a mail answer it; strangers do not. So a form is abused if too few of its
 * mails are answered within an hour, or if very many wait at once.
 */
export function isAbused({
  requests,
  confirmed,
  mailedLongAgo,
  answeredInTime,
}: Response): boolean {
  const { mailed, waiting, leastAnswered } = guardLimits
  const isIgnored = mailedLongAgo > mailed && answeredInTime < leastAnswered * mailedLongAgo
  const isFlooded = requests - confirmed > waiting && confirmed < leastAnswered * requests
  return isIgnored || isFlooded
}

/** Reads the form's guard state, and locks it until the transaction ends. */
function lockGuard(
  tx: Tx,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): Promise<GuardState | undefined> {
  return tx.maybe(sql`
    select name, guarded_since as "guardedSince", guarded_until as "guardedUntil" from forms
    where business_id = ${businessId} and id = ${formId} for no key update
  `)
}

function setGuard(
  tx: Tx,
  businessId: Id<'business'>,
  formId: Id<'form'>,
  { since, until }: { since: Date; until: Date | null },
): Promise<number> {
  return tx.run(sql`
    update forms set guarded_since = ${since}, guarded_until = ${until}
    where business_id = ${businessId} and id = ${formId}
  `)
}

export const guardedMailJob = 'form.guarded-mail'

interface GuardedMailPayload {
  business_id: Id<'business'>
  form_id: Id<'form'>
  user_id: Id<'user'>
}

interface GuardedMailDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

/** Queues a mail for each admin and owner, in the transaction that guards the form. */
async function queueGuardedMails(
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
    return { kind: guardedMailJob, businessId, payload }
  })
  if (jobs.length > 0) await enqueue(tx, jobs, now)
}

/** Sends nothing if the form is no longer guarded, or the person is no longer an admin or owner. */
async function sendGuardedMail(
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

function findGuard(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): Promise<GuardState | undefined> {
  return db.maybe(sql`
    select name, guarded_since as "guardedSince", guarded_until as "guardedUntil" from forms
    where business_id = ${businessId} and id = ${formId}
  `)
}

interface GuardState {
  name: string
  guardedSince: Date | null
  /** When the guarding ended; null while it lasts. */
  guardedUntil: Date | null
}

interface GuardJobDeps extends GuardedMailDeps {
  db: Database
  clock: Clock
}

const mailRetries = [seconds(30), seconds(300), hours(1), hours(6)]

export function guardJobs(deps: GuardJobDeps): JobKinds {
  const { db, clock } = deps
  return {
    [guardCheckJob]: {
      async run({ payload }): Promise<Verdict> {
        const { business_id: businessId, form_id: formId } = payload as GuardPayload
        const now = clock.now()
        const stays = await db.tx((tx) => checkGuard(tx, { businessId, formId }, now))
        return stays
          ? { outcome: 'again', at: later(now, guardLimits.checkMs) }
          : { outcome: 'done' }
      },
    },
    [guardedMailJob]: {
      retryDelays: mailRetries,
      timeoutMs: seconds(60),
      run: (job) =>
        sendGuardedMail(deps, job as Job<Parameters<typeof sendGuardedMail>[1]['payload']>),
    },
  }
}
