/** The background jobs of confirmations. `worker.ts` adds them to its list. */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import { tierOf } from '../accounts/businesses/deploy-settings.ts'
import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import { limits } from '../config.ts'
import {
  confirmationOf,
  endConfirmation,
  holdToMail,
  noteHeld,
  noteMailed,
  stateOf,
} from '../contacts/consent/confirm.ts'
import {
  type Confirmation,
  type ConfirmationPayload,
  confirmationMailJob,
  confirmationTimes,
  confirmationWaitJob,
} from '../contacts/consent/confirmation.ts'
import { readContact } from '../contacts/find.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId, type Id, isTwin, newId } from '../core/ids.ts'
import type { Hmac, Tier } from '../core/operation.ts'
import {
  chooseLanguage,
  directionOf,
  type RecipientLanguage,
  wordsIn,
} from '../core/recipient-words/languages.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import type { Mail, Mailer } from '../lib/email/mailer.ts'
import { type JobKinds, type TellWorker, tellOfJobs, type Verdict } from '../lib/jobs/job.ts'
import { countAttempt, takeBackAttempt } from '../lib/rate-limit/attempts.ts'
import { html } from '../lib/text/html.ts'
import { type Clock, days, hours, later, seconds } from '../lib/time/clock.ts'
import type { Senders } from '../messages/dependencies.ts'
import type { Content } from '../messages/message.ts'
import { saveMessages } from '../messages/save.ts'
import { confirmationToken } from './confirmation-link.ts'

export function confirmationJobs(deps: ConfirmationDeps): JobKinds {
  return {
    [confirmationMailJob]: {
      async run({ payload }): Promise<Verdict> {
        const sent = await sendConfirmation(deps, payload as ConfirmationPayload, {
          isReminder: false,
        })
        if (typeof sent === 'object') return { outcome: 'again', at: sent.heldUntil }
        // A business that has no sender yet may have one in an hour.
        return sent === 'unsendable'
          ? { outcome: 'again', at: later(deps.clock.now(), hours(1)) }
          : { outcome: 'done' }
      },
    },
    [confirmationWaitJob]: {
      run: ({ payload }) => waitOn(deps, payload as ConfirmationPayload),
    },
  }
}

/** Runs after three days and after thirty days. */
async function waitOn(deps: ConfirmationDeps, payload: ConfirmationPayload): Promise<Verdict> {
  const { business_id: businessId, confirmation_id: id } = payload
  const now = deps.clock.now()
  const confirmation = await confirmationOf(deps.db, { businessId, id })
  if (!confirmation || confirmation.confirmedAt || confirmation.endedAt) return { outcome: 'done' }
  const end = later(confirmation.createdAt, confirmationTimes.endMs)
  if (now < end) {
    await sendConfirmation(deps, payload, { isReminder: true })
    return { outcome: 'again', at: end }
  }
  await deps.db.tx((tx) => endConfirmation(tx, { businessId, id }, now))
  return { outcome: 'done' }
}

/** Decides about mails that a form requested. The domain of forms provides it. */
interface ConfirmationGuard {
  /** Keeps the form locked until the transaction ends. */
  guardMail(
    tx: Tx,
    mail: {
      businessId: Id<'business'>
      formId: Id<'form'>
      unproven: boolean
      connectionId: Id<'connection'> | null
    },
    now: Date,
  ): Promise<'send' | 'hold'>
  mayRemind(
    tx: Tx,
    form: { businessId: Id<'business'>; formId: Id<'form'> },
    askedAt: Date,
  ): Promise<boolean>
}

interface ConfirmationDeps {
  db: Database
  clock: Clock
  vault: Vault
  baseUrl: string
  senders: Senders
  senderProfileOf: ReadSenderProfile
  /** Sends mail of the service itself, to people to whom the business sends nothing. */
  mailer: Mailer
  mailFrom: string
  guard: ConfirmationGuard
  wake: TellWorker
}

/**
 * `held`: until a person releases it. `unsendable`: the business cannot send at the moment.
 * `heldUntil`: the person never got the mail, and it is tried again then.
 */
type MailOutcome = 'sent' | 'held' | 'limited' | 'over' | 'unsendable' | { heldUntil: Date }

/**
 * Sends the mail that asks a person to confirm their consent. A stranger could flood a person with
 * this mail, so its limits are checked here, for all businesses of the service together. The
 * requester learns nothing about the outcome (docs/design/consent.md).
 */
async function sendConfirmation(
  deps: ConfirmationDeps,
  { business_id: businessId, confirmation_id: id }: ConfirmationPayload,
  { isReminder }: { isReminder: boolean },
): Promise<MailOutcome> {
  const sender = await deps.senders.senderOf(businessId)
  if (isRefusal(sender)) return 'unsendable'
  const base = sender.trackingHost ? `https://${sender.trackingHost}` : deps.baseUrl
  const profile = await deps.senderProfileOf(businessId)
  if (!profile) return 'over'
  let own: Omit<Mail, 'from'> | undefined
  const sent = await deps.db.tx(async (tx): Promise<MailOutcome> => {
    own = undefined
    tellOfJobs(tx, deps.wake)
    const now = deps.clock.now()
    // The form is locked before the confirmation, in the same order as for a submission.
    const decided = await askGuard(tx, deps, { businessId, id, isReminder, now })
    const confirmation = await holdToMail(tx, { businessId, id }, { now, isReminder })
    if (!confirmation) return 'over'
    if (decided === 'hold') {
      if (!isReminder) await noteHeld(tx, { businessId, id }, now)
      return 'held'
    }
    const contact = await readContact(tx, businessId, confirmation.contactId)
    const tier = await tierOf(tx, businessId)
    if (!tier || (!confirmation.isReturn && contact?.email !== confirmation.address)) return 'over'
    // Test mode takes nothing of what a person may get from all businesses together.
    const limited = isTwin(businessId)
      ? undefined
      : await overLimits(tx, deps, { businessId, confirmation, isReminder, now })
    if (limited === 'dropped') return 'limited'
    if (limited) return holdUnlessMailed(confirmation, later(now, seconds(limited.retryAfter)))
    const url = `${base}/confirm/${confirmationToken(deps.vault, { businessId, id })}`
    const language = chooseLanguage(contact?.language, confirmation.language, profile.language)
    const content = confirmationMail(profile, url, language)
    const saved = confirmation.isReturn
      ? 'refused'
      : await queueMail(tx, { businessId, confirmation, tier, content, hmac: deps.vault.hmac, now })
    if (saved === 'suppressed') return 'limited'
    // What is tried again is counted then.
    if (saved === 'no_room') await takeBackOfConnection(tx, deps, { businessId, confirmation, now })
    if (saved === 'no_room') return holdUnlessMailed(confirmation, later(now, tierWaitMs))
    await noteMailed(tx, { businessId, id }, { at: now, isReminder })
    const { subject, html, text } = content
    if (saved === 'refused') {
      own = { name: formatId('confirmation', id), to: confirmation.address, subject, text, html }
    }
    return 'sent'
  })
  if (own) await deps.mailer.send({ ...own, from: deps.mailFrom })
  return sent
}

interface ToQueue extends ConfirmationToMail {
  tier: Tier
  content: Content
  hmac: Hmac
}

/**
 * `refused`: mail to the address bounces, and the person requested it again by a form, so the
 * service sends it in its own name. `suppressed`: for another reason, and nobody is notified.
 */
async function queueMail(
  tx: Tx,
  { businessId, confirmation, tier, content, hmac, now }: ToQueue,
): Promise<'queued' | 'refused' | 'suppressed' | 'no_room'> {
  const message = {
    id: newId('message'),
    businessId,
    channel: 'email' as const,
    tier,
    origin: originOf(confirmation),
    hmac,
    kind: 'transactional' as const,
    contactId: confirmation.contactId,
    to: undefined,
    template: undefined,
    content,
    units: 1,
    sendAt: undefined,
    allowDuplicate: true,
  }
  const [saved] = await saveMessages.save(tx, [message], now)
  if (!saved) return 'suppressed'
  if (!isRefusal(saved)) return 'queued'
  if (saved.code !== 'conflict') return 'no_room'
  const isOfForm = confirmation.formVersion !== null
  return isOfForm && saved.details.data?.['reason'] === 'bounce' ? 'refused' : 'suppressed'
}

interface GuardQuestion {
  businessId: Id<'business'>
  id: Id<'confirmation'>
  isReminder: boolean
  now: Date
}

async function askGuard(
  tx: Tx,
  { guard }: ConfirmationDeps,
  { businessId, id, isReminder, now }: GuardQuestion,
): Promise<'send' | 'hold'> {
  const confirmation = await confirmationOf(tx, { businessId, id })
  if (!confirmation?.formId || stateOf(confirmation, now) !== 'open') return 'send'
  const form = { businessId, formId: confirmation.formId }
  if (isReminder) return (await guard.mayRemind(tx, form, confirmation.askedAt)) ? 'send' : 'hold'
  if (confirmation.releasedAt) return 'send'
  const { unproven, connectionId } = confirmation
  return guard.guardMail(tx, { ...form, unproven, connectionId }, now)
}

interface ConfirmationToMail {
  businessId: ConfirmationPayload['business_id']
  confirmation: Confirmation
  now: Date
}

/** How long a mail waits if the tier has no room for it. */
const tierWaitMs = hours(6)

/** A person who has the mail already gets no further mail. Others get it once there is room. */
function holdUnlessMailed({ mailedAt }: Confirmation, heldUntil: Date): MailOutcome {
  return mailedAt ? 'limited' : { heldUntil }
}

/**
 * Seconds until there is room. Undefined if there is room now. `dropped`: the connection that asked has
 * asked enough people, and this one is not asked later.
 */
async function overLimits(
  tx: Tx,
  { vault }: Pick<ConfirmationDeps, 'vault'>,
  { businessId, confirmation, isReminder, now }: ConfirmationToMail & { isReminder: boolean },
): Promise<{ retryAfter: number } | 'dropped' | undefined> {
  const { address } = confirmation
  const perDay = {
    purpose: 'confirmation.business',
    subject: `${businessId} ${address}`,
    limit: limits.confirmationsPerDay,
    windowMs: hours(24),
    now,
  }
  const perWeek = {
    purpose: 'confirmation.address',
    subject: address,
    limit: limits.confirmationsPerWeek,
    windowMs: days(7),
    now,
  }
  for (const attempt of [perDay, perWeek]) {
    const over = await countAttempt(tx, vault, attempt)
    if (over) return { retryAfter: over.details.retryAfter ?? 1 }
  }
  if (isReminder || !(await isOfAssistant(tx, confirmation))) return undefined
  const perConnection = {
    ...ofConnection({ businessId, confirmation, now }),
    limit: limits.askedByConnectionPerDay,
    windowMs: hours(24),
  }
  if (!(await countAttempt(tx, vault, perConnection))) return undefined
  for (const attempt of [perDay, perWeek]) await takeBackAttempt(tx, vault, attempt)
  return 'dropped'
}

const ofConnection = ({ businessId, confirmation, now }: ConfirmationToMail) => ({
  purpose: 'confirmation.connection',
  subject: `${businessId} ${confirmation.connectionId}`,
  now,
})

async function takeBackOfConnection(
  tx: Tx,
  { vault }: Pick<ConfirmationDeps, 'vault'>,
  mail: ConfirmationToMail,
): Promise<void> {
  await takeBackAttempt(tx, vault, ofConnection(mail))
}

/**
 * Whether an OAuth connection asked by itself, without a form that the person filled in: an
 * assistant that would ask everybody who left, or strangers, asks a few of them.
 */
async function isOfAssistant(
  tx: Tx,
  { connectionId, formId, leftAt }: Confirmation,
): Promise<boolean> {
  if (connectionId === null) return false
  if (leftAt) return true
  if (formId !== null) return false
  const { isKey } = await tx.one<{ isKey: boolean }>(sql`
    select exists (
      select from connections where id = ${connectionId} and client_id is null
    ) as "isKey"
  `)
  return !isKey
}

function originOf({ connectionId, callId }: Confirmation) {
  return { connectionId, callId: formatId('request', callId ?? newId('request')) }
}

type ConfirmationContent = Content & { subject: string; html: string; text: string }

/** The mail that asks a person to confirm. It contains nothing that the requester typed. */
function confirmationMail(
  { name: business, look }: Pick<SenderProfile, 'name' | 'look'>,
  url: string,
  language: RecipientLanguage,
): ConfirmationContent {
  const words = wordsIn(language, look?.words).confirmation
  const text = words.text(business)
  const page = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${words.subject(business)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1b1b22">
<p>${text}</p>
<p><a href="${url}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#4c43d6;color:#ffffff;text-decoration:none">${words.button}</a></p>
<p style="color:#5a5a65">${words.ignore}</p>
</body></html>`
  return {
    subject: words.subject(business).slice(0, 200),
    html: page.toString(),
    text: `${text}\n\n${words.button}:\n${url}\n\n${words.ignore}\n`,
    variables: null,
    attachments: null,
    trackOpens: false,
    trackClicks: false,
  }
}
