/** Computes a contact's consent from what a call says about it (docs/design/consent.md). Pure. */

import {
  type ConsentGiven,
  type ConsentStatus,
  type ConsentSubject,
  type ContactValues,
  consentSubjects,
  type Person,
  saidOfTopic,
  type Topics,
  type TopicsOfChannel,
} from '../contact.ts'
import {
  type Circumstances,
  leftUntilConfirmed,
  staysOut,
  staysSuppressed,
} from '../saving/may-return.ts'
import { liftedByConfirming } from '../suppressions/suppression.ts'

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
  /** When the person left email, who is asked whether they come back. */
  leftAt?: Date
}

export interface MergedConsent {
  consent: ContactValues['consent']
  topics: Topics
  consents: ConsentChange[]
  stayedUnsubscribed: ConsentSubject[]
  stillSuppressed: ConsentSubject[]
  /** The person had left, and a mail asks them before they are subscribed. */
  awaitsConfirmation: boolean
  confirmation: ConfirmationAsked | undefined
}

/** The consent choices of a call, channel by channel. */
export function saidBy({ consent }: Person): Said[] {
  const said: Said[] = []
  if (!consent) return said
  for (const channel of consentSubjects) {
    const given = consent[channel]
    if (given) said.push({ channel, ...given })
  }
  return said
}

export function mergeConsent(
  before: Pick<ContactValues, 'consent' | 'topics'>,
  said: readonly Said[],
  around: Circumstances & { hasNewNumber: boolean },
): MergedConsent {
  const draft = draftOf(before, around.pendingSince)
  const isSaidOfTexts = said.some(({ channel }) => channel === 'sms')
  if (around.hasNewNumber) forgetOldNumber(draft, isSaidOfTexts)
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
  confirmation: ConfirmationAsked | undefined
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

function subscribe(draft: Draft, said: Said, around: Circumstances): void {
  const { channel, topics } = said
  const evidence = evidenceOf(said)
  const stands = around.suppressed(channel)
  const left = leftUntilConfirmed(draft, said, { ...around, topic: undefined })
  if (left) {
    askToReturn(draft, said, left)
    return
  }
  if (stands && staysSuppressed(stands, said, around)) {
    if (around.source === 'form' && channel === 'email') askFor(draft, said, around)
    else addOnce(draft.stayed, channel)
    return
  }
  const stay = () => {
    addOnce(draft.stayed, channel)
    if (around.source === 'form' && channel === 'email') draft.confirmation = { topics, evidence }
  }
  const isAsked = (topic: string) => leftUntilConfirmed(draft, said, { ...around, topic })
  if (staysOut(draft, said, { ...around, topic: undefined })) {
    stay()
    return
  }
  const wanted = topics?.filter((topic) => {
    const stays = staysOut(draft, said, { ...around, topic })
    if (stays) stay()
    return !stays
  })
  const awaited = topics?.filter((topic) => isAsked(topic))
  if (awaited && awaited.length > 0) {
    draft.awaitsConfirmation = true
    draft.confirmation = { topics: awaited, evidence }
  }
  // The person had left all of the requested topics.
  if (wanted?.length === 0) return
  // A box beside a topic is no choice about the channel.
  if (!said.returns) setChannel(draft, channel, 'subscribed', evidence)
  if (stands) addOnce(draft.suppressed, channel)
  if (!wanted) return
  const isGeneral = chosen(draft.topics[channel]).length === 0
  for (const topic of wanted) {
    const takesBack = said.returns && isGeneral && saidOfTopic(draft.topics, channel, topic)
    setTopic(draft, { channel, topic, action: takesBack ? 'none' : 'subscribed', evidence })
  }
}

/** Their consent to email waits for the mail's button. Who was asked already is not asked again. */
function askToReturn(draft: Draft, said: Said, leftAt: Date): void {
  draft.awaitsConfirmation = true
  if (draft.consent.email === 'pending' && draft.pendingSince) return
  const evidence = evidenceOf(said)
  if (draft.consent.email !== 'subscribed') setChannel(draft, 'email', 'pending', evidence)
  draft.confirmation = { topics: said.topics, evidence, leftAt }
  draft.pendingSince = leftAt
}

/** Keys of the topics that were chosen and not left. */
export function chosen(topics: TopicsOfChannel | undefined): string[] {
  return Object.entries(topics ?? {}).flatMap(([key, status]) =>
    status === 'subscribed' ? [key] : [],
  )
}
