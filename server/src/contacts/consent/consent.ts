/** Computes a contact's consent from what a call says about it (docs/design/consent.md). Pure. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import {
  type ChangeSource,
  type Channel,
  type ConsentGiven,
  type ConsentStatus,
  type ConsentSubject,
  type ContactToSave,
  type ContactValues,
  consentSubjects,
  type Person,
  type Topics,
  type TopicsOfChannel,
  topicStatusOf,
} from '../contact.ts'
import type { StoredContact } from '../rows.ts'
import {
  findSuppressed,
  isOwnNo,
  liftedByConfirming,
  markOf,
  type SuppressionReason,
} from '../suppressions/suppression.ts'

export interface ConsentChange {
  channel: ConsentSubject
  /** The topic; undefined for the whole channel. */
  topic?: string
  action: ConsentStatus
  /** Whether the person had left before. */
  isReturn?: true
  evidence: Omit<ConsentGiven, 'status' | 'topics'>
}

export interface ConsentChoice extends Omit<ConsentGiven, 'status'> {
  channel: ConsentSubject
  /** `none`: the requested consent was never confirmed. */
  status: ConsentGiven['status'] | 'none'
  /**
   * The person ticks again what they had left. If they chose no topics, their general consent
   * covers it again, and it does not become a chosen topic.
   */
  returns?: boolean
  /** The person was asked anew, so that what they had agreed to already is recorded again. */
  isAffirmed?: boolean
}

/** A request for a mail that asks the person whether they agree. */
export interface ConfirmationRequest {
  topics: readonly string[] | undefined
  evidence: ConsentChange['evidence']
  /** When the person left email, who is asked whether they come back. */
  leftAt?: Date
}

interface MergedConsent {
  consent: ContactValues['consent']
  topics: Topics
  consents: ConsentChange[]
  stayedUnsubscribed: ConsentSubject[]
  stillSuppressed: ConsentSubject[]
  /** The person had left, and a mail asks them before they are subscribed. */
  awaitsConfirmation: boolean
  confirmation: ConfirmationRequest | undefined
}

/** The consent choices of a call, channel by channel. */
export function consentChoicesOf({ consent }: Person): ConsentChoice[] {
  const choices: ConsentChoice[] = []
  if (!consent) return choices
  for (const channel of consentSubjects) {
    const choice = consent[channel]
    if (choice) choices.push({ channel, ...choice })
  }
  return choices
}

export function mergeConsent(
  before: Pick<ContactValues, 'consent' | 'topics'>,
  choices: readonly ConsentChoice[],
  circumstances: Circumstances & { hasNewNumber: boolean; hasNewEmail: boolean },
): MergedConsent {
  const draft = draftOf(before, circumstances.pendingSince)
  const isSaidOfTexts = choices.some(({ channel }) => channel === 'sms')
  if (circumstances.hasNewNumber) forgetOldNumber(draft, isSaidOfTexts)
  if (circumstances.hasNewEmail) moveToNewEmail(draft)
  for (const choice of choices) {
    if (choice.status === 'unsubscribed') leave(draft, choice)
    else if (choice.status === 'none') setChannel(draft, choice.channel, 'none', evidenceOf(choice))
    else if (choice.status === 'pending') askFor(draft, choice, circumstances)
    else subscribe(draft, choice, circumstances)
  }
  return {
    consent: draft.consent,
    topics: draft.topics,
    consents: draft.consents,
    stayedUnsubscribed: draft.stayed,
    stillSuppressed: draft.suppressed,
    awaitsConfirmation: draft.awaitsConfirmation,
    confirmation: draft.confirmation,
  }
}

interface Draft {
  consent: Record<ConsentSubject, ConsentStatus>
  topics: Topics
  consents: ConsentChange[]
  /** Each once. */
  stayed: ConsentSubject[]
  suppressed: ConsentSubject[]
  awaitsConfirmation: boolean
  confirmation: ConfirmationRequest | undefined
  /** As of the circumstances. */
  pendingSince: Date | undefined
}

const draftOf = (
  { consent, topics }: Pick<ContactValues, 'consent' | 'topics'>,
  pendingSince: Date | undefined,
): Draft => ({
  consent: { ...consent },
  topics,
  consents: [],
  stayed: [],
  suppressed: [],
  awaitsConfirmation: false,
  confirmation: undefined,
  pendingSince,
})

function addOnce(list: ConsentSubject[], channel: ConsentSubject): void {
  if (!list.includes(channel)) list.push(channel)
}

type Evidence = ConsentChange['evidence']

function evidenceOf(choice: ConsentChoice): Evidence {
  const {
    status: _status,
    topics: _topics,
    channel: _channel,
    returns: _returns,
    isAffirmed: _isAffirmed,
    ...evidence
  } = choice
  return evidence
}

function setChannel(
  draft: Draft,
  channel: ConsentSubject,
  action: ConsentStatus,
  evidence: Evidence,
) {
  const before = draft.consent[channel]
  if (before === action) return
  draft.consent[channel] = action
  const had = before === 'pending' && draft.pendingSince ? 'unsubscribed' : before
  draft.consents.push({ channel, action, evidence, ...returnOf(had, action) })
}

/** A topic that was left and has no choice any more is covered by the channel's consent again. */
function returnOf(before: ConsentStatus, action: ConsentStatus): Pick<ConsentChange, 'isReturn'> {
  const isReturn = before === 'unsubscribed' && (action === 'subscribed' || action === 'none')
  return isReturn ? { isReturn } : {}
}

type TopicChange = Required<Omit<ConsentChange, 'isReturn'>>

function setTopic(draft: Draft, { channel, topic, action, evidence }: TopicChange) {
  const before = topicStatusOf(draft.topics, channel, topic) ?? 'none'
  if (before === action) return
  const { [topic]: _before, ...others } = draft.topics[channel] ?? {}
  const isForgotten = action !== 'subscribed' && action !== 'unsubscribed'
  draft.topics = {
    ...draft.topics,
    [channel]: isForgotten ? others : { ...others, [topic]: action },
  }
  draft.consents.push({ channel, topic, action, evidence, ...returnOf(before, action) })
}

/** Consent to texts was given for one number, and does not carry over to another. */
function forgetOldNumber(draft: Draft, isSaidAnew: boolean): void {
  const evidence = { source: 'the phone number was replaced' }
  const channel = 'sms'
  for (const topic of chosen(draft.topics[channel])) {
    setTopic(draft, { channel, topic, action: 'none', evidence })
  }
  if (draft.consent.sms !== 'subscribed') return
  // The choice for the new number is the only row of the ledger.
  if (isSaidAnew) draft.consent.sms = 'none'
  else setChannel(draft, channel, 'none', evidence)
}

/** The source of the ledger's entry about consent that a new email address took over. */
export const movedSource = 'the email address was replaced'

/**
 * Consent to email is the person's, who has a new address now, and its ledger stays theirs. What
 * nobody has confirmed yet was asked at the old address, and is not.
 */
function moveToNewEmail(draft: Draft): void {
  const evidence = { source: movedSource }
  const { email } = draft.consent
  if (email === 'subscribed') draft.consents.push({ channel: 'email', action: email, evidence })
  if (email !== 'pending') return
  setChannel(draft, 'email', draft.pendingSince ? 'unsubscribed' : 'none', evidence)
  draft.pendingSince = undefined
}

function leave(draft: Draft, choice: ConsentChoice): void {
  const { channel, topics } = choice
  const evidence = evidenceOf(choice)
  if (!topics) {
    setChannel(draft, channel, 'unsubscribed', evidence)
    return
  }
  const before = chosen(draft.topics[channel])
  for (const topic of topics) {
    setTopic(draft, { channel, topic, action: 'unsubscribed', evidence })
  }
  // A person who agreed only to topics and leaves the last one agrees to nothing any more.
  const hasLeftAll = before.length > 0 && chosen(draft.topics[channel]).length === 0
  if (hasLeftAll && draft.consent[channel] !== 'none') {
    setChannel(draft, channel, 'unsubscribed', evidence)
  }
}

/**
 * A person who has confirmed stays subscribed, and one who left has left until they confirm, so
 * neither changes. Everyone who lacks what is requested gets the mail, and so does everyone whose
 * address is suppressed for a reason that confirming lifts.
 */
function askFor(draft: Draft, choice: ConsentChoice, { suppressed }: Circumstances): void {
  const { channel, topics } = choice
  const stands = draft.consent[channel]
  const lacks = (topic: string) => topicStatusOf(draft.topics, channel, topic) !== 'subscribed'
  const reason = suppressed(channel)?.reason
  const isBarred = reason !== undefined && liftedByConfirming.includes(reason)
  if (stands === 'subscribed' && !isBarred && !topics?.some(lacks)) return
  const evidence = evidenceOf(choice)
  if (stands === 'none') setChannel(draft, channel, 'pending', evidence)
  draft.confirmation = { topics, evidence }
}

function subscribe(draft: Draft, choice: ConsentChoice, circumstances: Circumstances): void {
  const { channel, topics } = choice
  const evidence = evidenceOf(choice)
  const stands = circumstances.suppressed(channel)
  const left = leftUntilConfirmed(draft, choice, { ...circumstances, topic: undefined })
  if (left) {
    askToReturn(draft, choice, left)
    return
  }
  if (stands && staysSuppressed(stands, choice, circumstances)) {
    if (circumstances.source === 'form' && channel === 'email') askFor(draft, choice, circumstances)
    else addOnce(draft.stayed, channel)
    return
  }
  const stay = () => {
    addOnce(draft.stayed, channel)
    if (circumstances.source === 'form' && channel === 'email')
      draft.confirmation = { topics, evidence }
  }
  const isAsked = (topic: string) => leftUntilConfirmed(draft, choice, { ...circumstances, topic })
  if (staysOut(draft, choice, { ...circumstances, topic: undefined })) {
    stay()
    return
  }
  const chosenTopics = topics?.filter((topic) => {
    const stays = staysOut(draft, choice, { ...circumstances, topic })
    if (stays) stay()
    return !stays
  })
  const awaited = topics?.filter((topic) => isAsked(topic))
  if (awaited && awaited.length > 0) {
    draft.awaitsConfirmation = true
    draft.confirmation = { topics: awaited, evidence }
  }
  // The person had left all of the requested topics.
  if (chosenTopics?.length === 0) return
  // A box beside a topic is no choice about the channel.
  if (!choice.returns) {
    if (choice.isAffirmed && draft.consent[channel] === 'subscribed')
      draft.consents.push({ channel, action: 'subscribed', evidence })
    else setChannel(draft, channel, 'subscribed', evidence)
  }
  if (stands) addOnce(draft.suppressed, channel)
  if (!chosenTopics) return
  const isGeneral = chosen(draft.topics[channel]).length === 0
  for (const topic of chosenTopics) {
    const takesBack = choice.returns && isGeneral && topicStatusOf(draft.topics, channel, topic)
    setTopic(draft, { channel, topic, action: takesBack ? 'none' : 'subscribed', evidence })
  }
}

/** Their consent to email waits for the mail's button. Who was asked already is not asked again. */
function askToReturn(draft: Draft, choice: ConsentChoice, leftAt: Date): void {
  draft.awaitsConfirmation = true
  if (draft.consent.email === 'pending' && draft.pendingSince) return
  const evidence = evidenceOf(choice)
  if (draft.consent.email !== 'subscribed') setChannel(draft, 'email', 'pending', evidence)
  draft.confirmation = { topics: choice.topics, evidence, leftAt }
  draft.pendingSince = leftAt
}

/** Keys of the topics that were chosen and not left. */
export function chosen(topics: TopicsOfChannel | undefined): string[] {
  return Object.entries(topics ?? {}).flatMap(([key, status]) =>
    status === 'subscribed' ? [key] : [],
  )
}

/** A suppression of the contact's address on a channel. */
interface Suppressed {
  reason: SuppressionReason
  since: Date
}

/** The facts that decide whether a person who left may be brought back. */
export interface Returning {
  /** The moment of the call; no choice can be later. */
  now: Date
  /** When the person left the channel, or its topic; undefined if that is unknown. */
  leftAt: (channel: ConsentSubject, topic: string | undefined) => Date | undefined
  suppressed: (channel: ConsentSubject) => Suppressed | undefined
  /** When the person came back after an erasure, which was a no to everything. */
  returnedAt: Date | undefined
  /** When the person left email, if a connection's call brought their consent to `pending`. */
  pendingSince: Date | undefined
  /** An OAuth connection makes the call: it brings nobody back who has not confirmed. */
  mustConfirm: boolean
}

export const nobodyReturns: Returning = {
  now: new Date(0),
  leftAt: () => undefined,
  suppressed: () => undefined,
  returnedAt: undefined,
  pendingSince: undefined,
  mustConfirm: false,
}

interface Circumstances extends Returning {
  source: ChangeSource
}

/** Consent to a channel, with what speaks for it. */
type Claim = Pick<ConsentGiven, 'text' | 'at'> & { channel: ConsentSubject }

type Standing = Pick<ContactValues, 'consent' | 'topics'>

/** Whether the person stays out of the channel, or of the topic, whatever is claimed of them. */
function staysOut(
  standing: Standing,
  claim: Claim,
  { topic, ...circumstances }: Circumstances & { topic: string | undefined },
): boolean {
  const left = leftBefore(standing, { channel: claim.channel, topic }, circumstances)
  return left !== undefined && !mayReturn(claim, left.at, circumstances)
}

/**
 * When the person left, if a call has their later words for it but may only ask them: that of an
 * OAuth connection. Whoever calls for a business with a key answers for what was said; an assistant
 * may have made it up.
 */
function leftUntilConfirmed(
  standing: Standing,
  claim: Claim,
  { topic, ...circumstances }: Circumstances & { topic: string | undefined },
): Date | undefined {
  if (!circumstances.mustConfirm || claim.channel !== 'email') return undefined
  const stands = topic === undefined ? circumstances.suppressed('email') : undefined
  const left =
    leftBefore(standing, { channel: 'email', topic }, circumstances)?.at ??
    (stands && isOwnNo(stands.reason) ? stands.since : undefined)
  return left && isLaterWord(claim, left, circumstances.now) ? left : undefined
}

/** How far ahead a caller's clock may be. */
const clockSkewMs = 5 * 60_000

/**
 * An opt-out stays unless the person withdraws it, or an `api` call has their words and a time
 * after the opt-out. An import never undoes it, and a form requests the person's confirmation.
 */
function mayReturn(
  claim: Claim,
  left: Date | undefined,
  { source, now, mustConfirm }: Pick<Circumstances, 'source' | 'now' | 'mustConfirm'>,
): boolean {
  if (source === 'person') return true
  return source === 'api' && !mustConfirm && isLaterWord(claim, left, now)
}

/** Whether the claim quotes the person, with a time after they unsubscribed. */
function isLaterWord({ text, at }: Claim, left: Date | undefined, now: Date): boolean {
  if (!text || !at || !left) return false
  return at > left && at.getTime() <= now.getTime() + clockSkewMs
}

/**
 * Whether the person unsubscribed from the channel or the topic, and when, if that is known. A person
 * who came back after an erasure counts as unsubscribed from everything they have not chosen since.
 */
function leftBefore(
  { consent, topics }: Standing,
  { channel, topic }: { channel: ConsentSubject; topic: string | undefined },
  { source, leftAt, returnedAt, pendingSince }: Circumstances,
): { at: Date | undefined } | undefined {
  const status = topic === undefined ? consent[channel] : topicStatusOf(topics, channel, topic)
  if (status === 'unsubscribed') return { at: leftAt(channel, topic) }
  if (status === 'pending' && channel === 'email' && pendingSince) return { at: pendingSince }
  const isOfOthers = source === 'import' || source === 'api'
  return returnedAt && status !== 'subscribed' && isOfOthers ? { at: returnedAt } : undefined
}

/**
 * Whether an address is suppressed by its person's own choice, which consent from elsewhere does
 * not outweigh. A form also asks whoever's mail failed: their answer shows that the address works.
 */
function staysSuppressed(
  { reason, since }: Suppressed,
  claim: Claim,
  circumstances: Circumstances,
) {
  if (circumstances.source === 'form' && claim.channel === 'email') {
    return liftedByConfirming.includes(reason)
  }
  return isOwnNo(reason) && !mayReturn(claim, since, circumstances)
}

/** By contact, channel and topic. */
export type OptOuts = ReadonlyMap<string, Date>

const optOutKey = (
  contactId: Id<'contact'>,
  channel: ConsentSubject,
  topic: string | undefined,
): string => `${contactId} ${channel} ${topic ?? ''}`

const nobody: OptOuts = new Map()

export async function optOutsOf(
  tx: Tx,
  stored: readonly StoredContact[],
  people: readonly { item: ContactToSave }[],
): Promise<OptOuts> {
  const isAsked = people.some(({ item: { source, consent } }) => {
    if (source !== 'api' || !consent) return false
    return consentSubjects.some((consentSubject) => {
      const { status, text, at } = consent[consentSubject] ?? {}
      return status === 'subscribed' && text && at
    })
  })
  if (!isAsked) return nobody
  const departed = stored.filter(hasLeftAnything)
  const optOuts = new Map<string, Date>()
  for (const [businessId, contacts] of Map.groupBy(departed, (contact) => contact.businessId)) {
    const rows = await findOptOuts(
      tx,
      businessId,
      contacts.map(({ id }) => id),
    )
    for (const { contactId, channel, topic, at } of rows) {
      optOuts.set(optOutKey(contactId, channel, topic ?? undefined), at)
    }
  }
  return optOuts
}

/** Undefined if the person left earlier in the same set: that is now, and nothing is later. */
export function leftAtOf(
  { id, stored }: { id: Id<'contact'>; stored: ContactValues | undefined },
  optOuts: OptOuts,
): (channel: ConsentSubject, topic: string | undefined) => Date | undefined {
  return (channel, topic) => {
    const stands =
      topic === undefined
        ? stored?.consent[channel]
        : stored && topicStatusOf(stored.topics, channel, topic)
    return stands === 'unsubscribed' ? optOuts.get(optOutKey(id, channel, topic)) : undefined
  }
}

function hasLeftAnything({ consent, topics }: StoredContact): boolean {
  return consentSubjects.some(
    (channel) =>
      consent[channel] === 'unsubscribed' ||
      Object.values(topics[channel] ?? {}).includes('unsubscribed'),
  )
}

/** By business, channel and address. */
export type SuppressedAddresses = ReadonlyMap<string, Suppressed>

const addressKey = (businessId: string, channel: ConsentSubject, address: string): string =>
  `${businessId} ${channel} ${address}`

const noneSuppressed: SuppressedAddresses = new Map()

/**
 * Suppressions of the addresses for which a form or a call gives consent. An import is not asked
 * about: it lifts nothing, and its dry run counts who is suppressed.
 */
export async function suppressedOf(
  tx: Tx,
  stored: readonly StoredContact[],
  people: readonly { item: ContactToSave }[],
): Promise<SuppressedAddresses> {
  const givers = people.filter(({ item: { source, consent } }) => {
    if (source === 'import') return false
    const consents = [consent?.email, consent?.sms]
    return consents.some((entry) => entry && entry.status !== 'unsubscribed')
  })
  const [first] = givers
  if (!first) return noneSuppressed
  const addresses = new Map<
    string,
    { businessId: Id<'business'>; channel: Channel; address: string }
  >()
  const add = (
    businessId: Id<'business'>,
    channel: Channel,
    address: string | null | undefined,
  ) => {
    if (!address) return
    addresses.set(addressKey(businessId, channel, address), { businessId, channel, address })
  }
  for (const { businessId, email, phone } of [...givers.map(({ item }) => item), ...stored]) {
    add(businessId, 'email', email)
    add(businessId, 'sms', phone)
  }
  const { hmac } = first.item
  const rows = [...addresses.values()].map((row) => {
    return { ...row, mark: markOf(hmac, row.businessId, row.address) }
  })
  const suppressions = await findSuppressed(tx, rows)
  return new Map(
    suppressions.map(({ businessId, channel, address, reason, createdAt }) => [
      addressKey(businessId, channel, address),
      { reason, since: createdAt },
    ]),
  )
}

/** The suppression of the address that the contact has once the person is saved. */
export function suppressedIn(
  { businessId, values }: { businessId: Id<'business'>; values: ContactValues },
  { email, phone }: Pick<ContactToSave, 'email' | 'phone'>,
  suppressed: SuppressedAddresses,
): (channel: ConsentSubject) => Suppressed | undefined {
  return (channel) => {
    const address = channel === 'email' ? (email ?? values.email) : (phone ?? values.phone)
    if (channel === 'tracking' || address === null) return undefined
    return suppressed.get(addressKey(businessId, channel, address))
  }
}

interface OptOut {
  contactId: Id<'contact'>
  channel: ConsentSubject
  topic: string | null
  at: Date
}

/** When each of the contacts last left a channel, or a topic of it. */
function findOptOuts(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<OptOut[]> {
  return db.all(sql`
    select contact_id as "contactId", channel, topic, max(created_at) as at from consent_events
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and action = 'unsubscribed'
    group by contact_id, channel, topic
  `)
}
