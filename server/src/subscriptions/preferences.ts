/** What a person gets of a business, and their word on it, by the link in a mail. */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import type { Messages } from '../bounces/message-lookup.ts'
import { limits } from '../config.ts'
import { changeConsent } from '../contacts/consent/change-consent.ts'
import type { Channel, ConsentGiven, ContactValues } from '../contacts/model/contact.ts'
import { readContact } from '../contacts/model/find.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { chooseLanguage, type RecipientLanguage } from '../core/recipient-words/languages.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import { countAttempt } from '../lib/rate-limit/attempts.ts'
import { type Clock, hours } from '../lib/time/clock.ts'
import { readToken, uuidOf } from '../tracking/token.ts'
import type { Visit } from '../tracking/visitor.ts'

export interface Choice {
  channel: Channel
  /** The address or number, so far that its owner knows it again. */
  hint: string
  subscribed: boolean
}

export interface Preferences {
  business: string
  /** What the page is written in: the contact's language, else the business's. */
  language: RecipientLanguage
  choices: Choice[]
}

export interface PreferenceDeps {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'hmac'>
  senderProfileOf: ReadSenderProfile
  messages: Pick<Messages, 'recordReports'>
}

/** Whose link it is. */
export interface Holder {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  messageId: Id<'message'>
}

const brokenLink =
  'It may have been cut off when it was copied. Open the mail again and press the link at its end. If that leads here as well, reply to the mail and ask its sender to stop: nothing has been changed by this page.'

export function holderOf(vault: Pick<Vault, 'hmac'>, token: string): Holder | Refusal {
  const named = readToken(vault, 'preferences', token)
  if (!named) return refuse('not_found', brokenLink)
  const { businessId, messageId, rest } = named
  return { businessId, messageId, contactId: uuidOf<'contact'>(rest) }
}

export async function preferencesOf(
  { db, senderProfileOf }: PreferenceDeps,
  { businessId, contactId }: Holder,
): Promise<Preferences | Refusal> {
  const senderProfile = await senderProfileOf(businessId)
  const contact = await readContact(db, businessId, contactId)
  if (!senderProfile || !contact) return isGone()
  return preferencesFrom(senderProfile, contact)
}

/** What a person asks for, channel by channel; channels left out stay as they are. */
export type Wish = Partial<Record<Channel, boolean>>

export interface PreferenceChange {
  wish: Wish
  /** The words the person answered, as the ledger keeps them. */
  words: (business: SenderProfile, channel: Channel, language: RecipientLanguage) => string
  /** The way it was said, such as `one-click unsubscribe`. */
  way: string
  visit: Visit
}

/**
 * Does what the person asks, at once: what is queued for them is not sent any more. Opting
 * out is never refused; of other changes a link takes so many an hour.
 */
export async function setPreferences(
  deps: PreferenceDeps,
  holder: Holder,
  asked: PreferenceChange,
): Promise<Preferences | Refusal> {
  const over = await overLimit(deps, holder, asked.wish)
  if (!over) return change(deps, holder, asked)
  const optOuts = Object.entries(asked.wish).filter(([, wanted]) => !wanted)
  if (optOuts.length === 0) return over
  const changed = await change(deps, holder, { ...asked, wish: Object.fromEntries(optOuts) })
  if (isRefusal(changed)) return changed
  const isAsAsked = changed.choices.every(
    ({ channel, subscribed }) => asked.wish[channel] !== true || subscribed,
  )
  return isAsAsked ? changed : over
}

/** Whoever shares or guesses at a link must not fill the ledger of consent by it. */
async function overLimit(
  { db, clock, vault }: PreferenceDeps,
  { contactId, messageId }: Holder,
  wish: Wish,
): Promise<Refusal | undefined> {
  if (!Object.values(wish).includes(true)) return undefined
  const limit = limits.preferenceChangesPerHour
  const refusal = await countAttempt(db, vault, {
    purpose: 'preferences.link',
    subject: `${messageId} ${contactId}`,
    limit,
    windowMs: hours(1),
    now: clock.now(),
  })
  if (!refusal) return undefined
  const { retryAfter = 1 } = refusal.details
  const wait = retryAfter < 120 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`
  const text = `This link allows ${limit} changes an hour, and they have been made. Wait ${wait} before you ask for more messages. You can stop messages at any time.`
  return refuse('rate_limited', text, { retryAfter })
}

async function change(
  deps: PreferenceDeps,
  { businessId, contactId, messageId }: Holder,
  asked: PreferenceChange,
): Promise<Preferences | Refusal> {
  const now = deps.clock.now()
  const senderProfile = await deps.senderProfileOf(businessId)
  const contact = await readContact(deps.db, businessId, contactId)
  if (!senderProfile || !contact) return isGone()
  const { language } = preferencesFrom(senderProfile, contact)
  const source = `${asked.way}, ${formatId('message', messageId)}`
  const wishes = Object.entries(asked.wish) as [Channel, boolean][]
  const said = wishes.map(([channel, wanted]) => ({
    channel,
    status: wanted ? ('subscribed' as const) : ('unsubscribed' as const),
    source,
    text: asked.words(senderProfile, channel, language),
    ...evidence(asked),
  }))
  const leaves = asked.wish.email === false
  const values = await deps.db.tx(async (tx) => {
    const changed = await changeConsent(tx, { businessId, contactId, said }, now)
    // The message by which a person left: its campaign counts it.
    const news = { businessId, messageId, event: 'unsubscribed' as const, at: now, source: 'link' }
    if (changed && !isRefusal(changed) && leaves) await deps.messages.recordReports(tx, [news], now)
    return changed
  })
  if (isRefusal(values)) return values
  return values ? preferencesFrom(senderProfile, values) : isGone()
}

function preferencesFrom(senderProfile: SenderProfile, contact: ContactValues): Preferences {
  return {
    business: senderProfile.name,
    language: chooseLanguage(contact.language, senderProfile.language),
    choices: choicesOf(contact),
  }
}

const agentLength = 500

function evidence({
  visit: { address, agent },
}: PreferenceChange): Pick<ConsentGiven, 'ip' | 'agent'> {
  return { ip: address, ...(agent !== undefined && { agent: agent.slice(0, agentLength) }) }
}

function choicesOf({ email, phone, consent }: ContactValues): Choice[] {
  const choices: Choice[] = []
  const add = (channel: Channel, hint: string) =>
    choices.push({ channel, hint, subscribed: consent[channel] === 'subscribed' })
  if (email !== null) add('email', emailHint(email))
  if (phone !== null) add('sms', `•••${phone.slice(-3)}`)
  return choices
}

/** Links are forwarded; the whole address is told to nobody who does not know it. */
function emailHint(email: string): string {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}•••${email.slice(at)}`
}

/** Gone is what they wanted: somebody who was erased gets nothing. */
function isGone(): Refusal {
  return refuse('gone', 'Nothing is sent to this address any more: it is on no list here.')
}
