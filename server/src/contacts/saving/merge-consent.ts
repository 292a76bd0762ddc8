/** Computes a contact's consent from what a call says about it (docs/design/consent.md). Pure. */

import {
  type ChangeSource,
  type ConsentGiven,
  type ConsentStatus,
  type ConsentSubject,
  type ContactValues,
  consentSubjects,
  type Person,
  saidOfTopic,
  type Topics,
  type TopicsOfChannel,
} from '../model/contact.ts'
import { isOwnNo, liftedByConfirming, type SuppressionReason } from '../suppression/suppression.ts'

export interface ConsentChange {
  channel: ConsentSubject
  /** The topic; undefined for the whole channel. */
  topic?: string
  action: ConsentStatus
  /** Whether the person had left before. */
  isReturn?: true
  evidence: Omit<ConsentGiven, 'status' | 'topics'>
}

export interface Said extends Omit<ConsentGiven, 'status'> {
  channel: ConsentSubject
  /** `none`: the requested consent was never confirmed. */
  status: ConsentGiven['status'] | 'none'
  /**
   * The person ticks again what they had left. If they chose no topics, their general consent
   * covers it again, and it does not become a chosen topic.
   */
  returns?: boolean
}

/** A request for a mail that asks the person whether they agree. */
export interface ConfirmationAsked {
  topics: readonly string[] | undefined
  evidence: ConsentChange['evidence']
}

export interface MergedConsent {
  consent: ContactValues['consent']
  topics: Topics
  consents: ConsentChange[]
  stayedUnsubscribed: ConsentSubject[]
  stillSuppressed: ConsentSubject[]
  confirmation: ConfirmationAsked | undefined
}

/** A suppression of the contact's address on a channel. */
export interface Suppressed {
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
}

export const nobodyReturns: Returning = {
  now: new Date(0),
  leftAt: () => undefined,
  suppressed: () => undefined,
  returnedAt: undefined,
}

interface Circumstances extends Returning {
  source: ChangeSource
}

/** The consent choices of a call, channel by channel. */
export function saidBy({ consent }: Person): Said[] {
  return consentSubjects.flatMap((channel) => {
    const given = consent?.[channel]
    return given ? [{ channel, ...given }] : []
  })
}

export function mergeConsent(
  before: Pick<ContactValues, 'consent' | 'topics'>,
  said: readonly Said[],
  { hasNewNumber, ...around }: Circumstances & { hasNewNumber: boolean },
): MergedConsent {
  const draft = draftOf(before)
  const isSaidOfTexts = said.some(({ channel }) => channel === 'sms')
  if (hasNewNumber) forgetOldNumber(draft, isSaidOfTexts)
  for (const one of said) {
    if (one.status === 'unsubscribed') leave(draft, one)
    else if (one.status === 'none') setChannel(draft, one.channel, 'none', evidenceOf(one))
    else if (one.status === 'pending') askFor(draft, one, around)
    else subscribe(draft, one, around)
  }
  return {
    consent: draft.consent,
    topics: draft.topics,
    consents: draft.consents,
    stayedUnsubscribed: [...draft.stayed],
    stillSuppressed: [...draft.suppressed],
    confirmation: draft.confirmation,
  }
}

interface Draft {
  consent: Record<ConsentSubject, ConsentStatus>
  topics: Topics
  consents: ConsentChange[]
  stayed: Set<ConsentSubject>
  suppressed: Set<ConsentSubject>
  confirmation: ConfirmationAsked | undefined
}

const draftOf = ({ consent, topics }: Pick<ContactValues, 'consent' | 'topics'>): Draft => ({
  consent: { ...consent },
  topics,
  consents: [],
  stayed: new Set(),
  suppressed: new Set(),
  confirmation: undefined,
})

type Evidence = ConsentChange['evidence']

function evidenceOf(said: Said): Evidence {
  const {
    status: _status,
    topics: _topics,
    channel: _channel,
    returns: _returns,
    ...evidence
  } = said
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
  draft.consents.push({ channel, action, evidence, ...returnOf(before, action) })
}

/** A topic that was left and has no choice any more is covered by the channel's consent again. */
function returnOf(before: ConsentStatus, action: ConsentStatus): Pick<ConsentChange, 'isReturn'> {
  const isReturn = before === 'unsubscribed' && (action === 'subscribed' || action === 'none')
  return isReturn ? { isReturn } : {}
}

type TopicChange = Required<Omit<ConsentChange, 'isReturn'>>

function setTopic(draft: Draft, { channel, topic, action, evidence }: TopicChange) {
  const before = saidOfTopic(draft.topics, channel, topic) ?? 'none'
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

function leave(draft: Draft, said: Said): void {
  const { channel, topics } = said
  const evidence = evidenceOf(said)
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
function askFor(draft: Draft, said: Said, { suppressed }: Circumstances): void {
  const { channel, topics } = said
  const stands = draft.consent[channel]
  const lacks = (topic: string) => saidOfTopic(draft.topics, channel, topic) !== 'subscribed'
  const reason = suppressed(channel)?.reason
  const isBarred = reason !== undefined && liftedByConfirming.includes(reason)
  if (stands === 'subscribed' && !isBarred && !topics?.some(lacks)) return
  const evidence = evidenceOf(said)
  if (stands === 'none') setChannel(draft, channel, 'pending', evidence)
  draft.confirmation = { topics, evidence }
}

/** How far ahead a caller's clock may be. */
const clockSkewMs = 5 * 60_000

/**
 * An opt-out stays unless the person withdraws it, or an `api` call has their words and a time
 * after the opt-out. An import never undoes it, and a form requests the person's confirmation.
 */
function mayReturn(
  said: Said,
  left: Date | undefined,
  { source, now }: Pick<Circumstances, 'source' | 'now'>,
): boolean {
  if (source === 'person') return true
  if (source !== 'api' || !said.text || !said.at || !left) return false
  return said.at > left && said.at.getTime() <= now.getTime() + clockSkewMs
}

function subscribe(draft: Draft, said: Said, around: Circumstances): void {
  const { channel, topics } = said
  const evidence = evidenceOf(said)
  const stands = around.suppressed(channel)
  if (stands && staysSuppressed(stands, said, around)) {
    if (around.source === 'form' && channel === 'email') askFor(draft, said, around)
    else draft.stayed.add(channel)
    return
  }
  const stay = () => {
    draft.stayed.add(channel)
    if (around.source === 'form' && channel === 'email') draft.confirmation = { topics, evidence }
  }
  const staysOut = (topic?: string) => {
    const left = leftBefore(draft, { channel, topic }, around)
    return left !== undefined && !mayReturn(said, left.at, around)
  }
  if (staysOut()) {
    stay()
    return
  }
  const wanted = (topics ?? []).filter((topic) => {
    const stays = staysOut(topic)
    if (stays) stay()
    return !stays
  })
  // The person had left all of the requested topics.
  if (topics && wanted.length === 0) return
  // A box beside a topic is no choice about the channel.
  if (!said.returns) setChannel(draft, channel, 'subscribed', evidence)
  if (stands) draft.suppressed.add(channel)
  const isGeneral = chosen(draft.topics[channel]).length === 0
  for (const topic of wanted) {
    const takesBack = said.returns && isGeneral && saidOfTopic(draft.topics, channel, topic)
    setTopic(draft, { channel, topic, action: takesBack ? 'none' : 'subscribed', evidence })
  }
}

/**
 * Whether the person said no to the channel or the topic, and when, if that is known. Who came back
 * after an erasure had said no to everything that they have not chosen since.
 */
function leftBefore(
  { consent, topics }: Draft,
  { channel, topic }: { channel: ConsentSubject; topic: string | undefined },
  { source, leftAt, returnedAt }: Circumstances,
): { at: Date | undefined } | undefined {
  const said = topic === undefined ? consent[channel] : saidOfTopic(topics, channel, topic)
  if (said === 'unsubscribed') return { at: leftAt(channel, topic) }
  const isOfOthers = source === 'import' || source === 'api'
  return returnedAt && said !== 'subscribed' && isOfOthers ? { at: returnedAt } : undefined
}

/**
 * Whether an address is suppressed by its person's own choice, which consent from elsewhere does
 * not outweigh. A form also asks whoever's mail failed: their answer shows that the address works.
 */
function staysSuppressed({ reason, since }: Suppressed, said: Said, around: Circumstances) {
  if (around.source === 'form' && said.channel === 'email') {
    return liftedByConfirming.includes(reason)
  }
  return isOwnNo(reason) && !mayReturn(said, since, around)
}

/** Keys of the topics that were chosen and not left. */
export function chosen(topics: TopicsOfChannel | undefined): string[] {
  return Object.entries(topics ?? {}).flatMap(([key, status]) =>
    status === 'subscribed' ? [key] : [],
  )
}
