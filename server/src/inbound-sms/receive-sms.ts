/**
 * Processes a text that a person sent. A keyword is handled before anything else, and its effects
 * commit in the same transaction, so the next attempt of a message sees them.
 */

import type { SmsProfile } from '../accounts/businesses/business.ts'
import { readSmsProfile } from '../accounts/businesses/sms-senders.ts'
import { limits } from '../config.ts'
import {
  contactWithPhone,
  liftStop,
  returnByText,
  startTexts,
  stopTexts,
} from '../contacts/consent/text-consent.ts'
import { allowNumber, stopNumber, stoppedMark } from '../contacts/suppressions/stopped-numbers.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import {
  chooseLanguage,
  type RecipientLanguage,
  wordsIn,
} from '../core/recipient-words/languages.ts'
import { emitAll } from '../events/emit.ts'
import { sha256 } from '../lib/crypto/vault.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { parseMailbox } from '../lib/email/header-fields.ts'
import { type TellWorker, tellOfJobs } from '../lib/jobs/job.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import type { InboundText } from '../lib/sms/transport.ts'
import { withoutEnd } from '../lib/text/trim-end.ts'
import { type Clock, later } from '../lib/time/clock.ts'
import { factsOf } from '../messages/message-events.ts'
import { queueReply } from '../messages/reply.ts'
import { findMessages } from '../messages/reports/reports.ts'
import { type Intent, intentOf, isYes, type Meaning } from './intent.ts'
import type { Reply } from './reply.ts'
import { type Answering, claimAnswer, claimText, insertReply } from './reply.ts'
import { type Routing, routeText, routeTo } from './routing.ts'

export interface ReplyDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  /** Notifies this process's worker of queued answers. */
  wake: TellWorker
}

/** The intent of the text, or `known` if the text was processed before. */
export type ReceiveOutcome = Meaning | 'known'

/** @param route The route of the text. Provider ids are unique within a route. */
export function receiveSms(
  deps: ReplyDeps,
  route: string,
  text: InboundText,
  answered?: Answered,
): Promise<ReceiveOutcome> {
  return deps.db.tx((tx) => receiveSmsIn(tx, deps, route, text, answered))
}

/** The message that a text is known to answer. */
export interface Answered {
  businessId: Id<'business'>
  messageId: Id<'message'>
}

export async function receiveSmsIn(
  tx: Tx,
  deps: ReplyDeps,
  route: string,
  text: InboundText,
  answered?: Answered,
): Promise<ReceiveOutcome> {
  tellOfJobs(tx, deps.wake)
  const now = deps.clock.now()
  if ((await claimText(tx, identityOf(route, text), now)) === 0) return 'known'
  const word = wordOf(text)
  const whose = answered ? routeTo(answered, word) : await routeText(tx, word)
  const intent = intentWith(text.keyword, intentOf(word.body))
  const { meaning } = intent
  const { keyword } = text
  const answer = await applyKeyword(tx, deps, { word, whose, meaning, keyword, now })
  if (whose.owner) await keep(tx, deps, { word, whose, owner: whose.owner, intent, answer, now })
  return meaning
}

/**
 * The provider knows the keywords that its account configured, and has acted on them: after STOP it
 * refuses every text. A START that reads like an opt-out is for a person to decide.
 */
function intentWith(keyword: InboundText['keyword'], own: Intent): Intent {
  const { meaning, languages } = own
  if (keyword === undefined || keyword === meaning || meaning === 'stop') {
    return keyword === 'start' && meaning === 'stop' ? { meaning: 'opt_out', languages } : own
  }
  if (keyword === 'stop' || meaning !== 'opt_out') return { meaning: keyword, languages }
  return own
}

function identityOf(route: string, { providerId }: InboundText): Buffer {
  return sha256(`${route}\n${providerId}`).subarray(0, 16)
}

const senderLength = 40

function wordOf({ from, to, body }: InboundText): Word {
  const phone = normalisePhone(from)
  return {
    // A sender that is a short code is not a phone number, but gets an answer all the same.
    phone: isRefusal(phone) ? from : phone,
    sender: to.trim().slice(0, senderLength),
    // PostgreSQL cannot store NUL, and JSON cannot store half of a surrogate pair.
    body: body.slice(0, limits.replyCharacters).replaceAll('\0', '').toWellFormed(),
  }
}

type Answer = Pick<Answering, 'kind'> & { words: AnswerText }

interface KeywordToApply {
  word: Word
  whose: Routing
  meaning: Meaning
  /** The provider's judgement. */
  keyword: InboundText['keyword']
  now: Date
}

/** Applies a keyword, and returns the answer to send. */
async function applyKeyword(
  tx: Tx,
  { hmac }: ReplyDeps,
  { word, whose, meaning, keyword, now }: KeywordToApply,
): Promise<Answer | undefined> {
  if (meaning === 'help') return { kind: 'help', words: helpAnswer }
  if (meaning === 'stop') {
    await handleStop(tx, hmac, { word, whose, now })
    // The provider confirmed it, and takes no text to this number any more.
    if (keyword === 'stop') return undefined
    return { kind: 'confirmation', words: stopAnswer }
  }
  if (meaning !== 'start') return undefined
  const onlyLifts = isYes(word.body)
  const started = await handleStart(tx, hmac, { word, whose, now, onlyLifts })
  // The answer promises nothing that START cannot undo. It says how to reach the business.
  return started
    ? { kind: 'confirmation', words: startAnswer }
    : { kind: 'help', words: helpAnswer }
}

interface Keeping {
  word: Word
  whose: Routing
  owner: Id<'business'>
  intent: Intent
  answer: Answer | undefined
  now: Date
}

async function keep(
  tx: Tx,
  { hmac }: ReplyDeps,
  { word, whose, owner: businessId, intent, answer, now }: Keeping,
): Promise<void> {
  const { meaning, languages } = intent
  const { phone, sender } = word
  const contact = await contactWithPhone(tx, businessId, phone)
  const contactId = contact?.id
  const reply: Reply = {
    ...word,
    businessId,
    id: newId('reply'),
    contactId: contactId ?? null,
    meaning,
    review: meaning === 'opt_out' ? 'open' : null,
    createdAt: now,
  }
  await insertReply(tx, reply)
  if (contactId) {
    const details = { reply_id: formatId('reply', reply.id), meaning }
    const received = { businessId, contactId, type: 'text.received', details }
    await recordActivity(tx, [{ ...received, subject: { channel: 'sms' } }], now)
  }
  if (whose.answered) await announceReply(tx, { reply, answered: whose.answered, now })
  const texting = answer && (await readSmsProfile(tx, businessId))
  if (!answer || !texting) return
  const answering = { mark: stoppedMark(hmac, sender, phone), kind: answer.kind }
  const before = later(now, -limits.textAnswerMs)
  if ((await claimAnswer(tx, answering, now, before)) === 0) return
  const body = answer.words(texting, { languages, contact: contact?.language })
  await queueReply(tx, { businessId, to: phone, body, ...(contactId && { contactId }) }, now)
}

interface Announcement {
  reply: Reply
  answered: Id<'message'>
  now: Date
}

async function announceReply(tx: Tx, { reply, answered, now }: Announcement): Promise<void> {
  const [message] = await findMessages(tx, [answered])
  if (!message) return
  const { id, businessId, body: text, meaning } = reply
  const data = { ...factsOf(message), reply_id: formatId('reply', id), text, meaning }
  await emitAll(tx, [{ businessId, type: 'message.replied', data }], now)
}

type Word = Pick<Reply, 'phone' | 'sender' | 'body'>

interface KeywordCall {
  word: Word
  whose: Routing
  now: Date
}

interface StartCall extends KeywordCall {
  /** The text lifts a STOP, but is no consent of a person who sent none. */
  onlyLifts: boolean
}

/**
 * Handles STOP and START for all businesses that send to the person from the number they wrote to.
 *
 * Stops all of these businesses, and any business that later sends from that number.
 */
async function handleStop(tx: Tx, hmac: Hmac, { word, whose, now }: KeywordCall): Promise<void> {
  const { phone } = word
  await stopNumber(tx, hmac, { senders: whose.senders, phone }, now)
  for (const businessId of whose.sharing) {
    await stopTexts(tx, hmac, { businessId, phone, evidence: evidenceOf(word) }, now)
  }
}

/**
 * Undoes a STOP for each business that it stopped. For the business that the text is routed to,
 * the text is also recorded as consent. Returns whether that business may send now.
 */
async function handleStart(
  tx: Tx,
  hmac: Hmac,
  { word, whose: { owner, sharing, senders }, now, onlyLifts }: StartCall,
): Promise<boolean> {
  const { phone } = word
  await allowNumber(tx, hmac, { senders, phone })
  let started = false
  // Only the business that the text is routed to, not the others that share the number.
  if (owner && !onlyLifts) await returnByText(tx, hmac, { businessId: owner, phone }, now)
  for (const businessId of sharing) {
    const reasons = onlyLifts ? (['stop'] as const) : undefined
    const { lifted, held: isHeld } = await liftStop(tx, hmac, { businessId, phone }, reasons)
    if (isHeld || !(lifted || (businessId === owner && !onlyLifts))) continue
    await startTexts(tx, { businessId, phone, evidence: evidenceOf(word) }, now)
    if (businessId === owner) started = true
  }
  return started
}

function evidenceOf({ sender, body }: Word) {
  return { source: `text to ${sender}`, text: body }
}

/** The answers to keywords, in the language of the word, the contact or the business. */
interface AnswerLanguages {
  /** Those in which the text is a keyword; empty for STOP and others that every language has. */
  languages: readonly RecipientLanguage[]
  /** The contact's, as a BCP 47 tag, if the number belongs to a contact. */
  contact?: string | null | undefined
}

type AnswerText = (business: SmsProfile, spoken: AnswerLanguages) => string

const stopAnswer: AnswerText = (business, spoken) =>
  smsWords(business, spoken).stopped(business.name)

const startAnswer: AnswerText = (business, spoken) =>
  smsWords(business, spoken).started(business.name)

/** `sms_help` says how to reach the business. Without it, the business's mail address is given. */
const helpAnswer: AnswerText = (business, spoken) => {
  const { name, help, sender } = business
  const words = smsWords(business, spoken)
  const contact =
    help ?? (sender === null ? undefined : words.writeTo(parseMailbox(sender).address))
  return words.help(name, contact === undefined ? '' : `${withoutEnd(contact, /[.\s]/)}. `)
}

/** A word of several languages is answered in the contact's or the business's, if it is one. */
function smsWords(business: SmsProfile, { languages, contact }: AnswerLanguages) {
  const [first] = languages
  if (first === undefined) return wordsIn(chooseLanguage(contact, business.language)).sms
  const own = [contact, business.language].flatMap((tag) => (tag ? [chooseLanguage(tag)] : []))
  return wordsIn(own.find((language) => languages.includes(language)) ?? first).sms
}
