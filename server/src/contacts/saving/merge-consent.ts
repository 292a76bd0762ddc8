/** What a contact's consent becomes by what is said of it (docs/design/consent.md). Pure. */
import {
  type ChangeSource,
  type Channel,
  type ConsentGiven,
  type ConsentStatus,
  type ContactValues,
  channels,
  type Person,
  saidOfTopic,
  type Topics,
  type TopicsOfChannel,
} from '../model/contact.ts'

export interface ConsentChange {
  channel: Channel
  /** Undefined where it is about the whole channel. */
  topic?: string
  action: ConsentStatus
  evidence: Omit<ConsentGiven, 'status' | 'topics'>
}

export interface Said extends ConsentGiven {
  channel: Channel
}

export interface MergedConsent {
  consent: ContactValues['consent']
  topics: Topics
  consents: ConsentChange[]
  stayedUnsubscribed: Channel[]
}

interface Circumstances {
  source: ChangeSource
  hasNewNumber: boolean
}

/** What a call says of a person's consent, channel by channel. */
export function saidBy({ consent }: Person): Said[] {
  return channels.flatMap((channel) => {
    const given = consent?.[channel]
    return given ? [{ channel, ...given }] : []
  })
}

export function mergeConsent(
  before: Pick<ContactValues, 'consent' | 'topics'>,
  said: readonly Said[],
  { source, hasNewNumber }: Circumstances,
): MergedConsent {
  const draft = draftOf(before)
  const isSaidOfTexts = said.some(({ channel }) => channel === 'sms')
  if (hasNewNumber) forgetOldNumber(draft, isSaidOfTexts)
  for (const one of said) {
    if (one.status === 'unsubscribed') leave(draft, one)
    else subscribe(draft, one, source)
  }
  return {
    consent: draft.consent,
    topics: draft.topics,
    consents: draft.consents,
    stayedUnsubscribed: [...draft.stayed],
  }
}

interface Draft {
  consent: Record<Channel, ConsentStatus>
  topics: Topics
  consents: ConsentChange[]
  stayed: Set<Channel>
}

const draftOf = ({ consent, topics }: Pick<ContactValues, 'consent' | 'topics'>): Draft => ({
  consent: { ...consent },
  topics,
  consents: [],
  stayed: new Set(),
})

type Evidence = ConsentChange['evidence']

function evidenceOf({ status: _status, topics: _topics, channel: _channel, ...evidence }: Said) {
  return evidence satisfies Evidence
}

function setChannel(draft: Draft, channel: Channel, action: ConsentStatus, evidence: Evidence) {
  if (draft.consent[channel] === action) return
  draft.consent[channel] = action
  draft.consents.push({ channel, action, evidence })
}

function setTopic(draft: Draft, { channel, topic, action, evidence }: Required<ConsentChange>) {
  if ((saidOfTopic(draft.topics, channel, topic) ?? 'none') === action) return
  const { [topic]: _before, ...others } = draft.topics[channel] ?? {}
  const isForgotten = action !== 'subscribed' && action !== 'unsubscribed'
  draft.topics = {
    ...draft.topics,
    [channel]: isForgotten ? others : { ...others, [topic]: action },
  }
  draft.consents.push({ channel, topic, action, evidence })
}

/** Consent to texts was given for one number, and is not taken along to another. */
function forgetOldNumber(draft: Draft, isSaidAnew: boolean): void {
  const evidence = { source: 'the phone number was replaced' }
  const channel = 'sms'
  for (const topic of chosen(draft.topics[channel])) {
    setTopic(draft, { channel, topic, action: 'none', evidence })
  }
  if (draft.consent.sms !== 'subscribed') return
  // What is said of the new number is the one row of the ledger.
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
  // Whoever agreed to topics alone and leaves the last of them agrees to nothing any more.
  const hasLeftAll = before.length > 0 && chosen(draft.topics[channel]).length === 0
  if (hasLeftAll && draft.consent[channel] !== 'none') {
    setChannel(draft, channel, 'unsubscribed', evidence)
  }
}

function subscribe(draft: Draft, said: Said, source: ChangeSource): void {
  const { channel, topics } = said
  const evidence = evidenceOf(said)
  const mayReturn = source !== 'import'
  if (!mayReturn && draft.consent[channel] === 'unsubscribed') {
    draft.stayed.add(channel)
    return
  }
  const wanted = (topics ?? []).filter((topic) => {
    const stays = !mayReturn && saidOfTopic(draft.topics, channel, topic) === 'unsubscribed'
    if (stays) draft.stayed.add(channel)
    return !stays
  })
  // All that it asked for are topics that the person had left.
  if (topics && wanted.length === 0) return
  setChannel(draft, channel, 'subscribed', evidence)
  for (const topic of wanted) {
    setTopic(draft, { channel, topic, action: 'subscribed', evidence })
  }
}

/** Keys of the topics that were chosen and not left. */
export function chosen(topics: TopicsOfChannel | undefined): string[] {
  return Object.entries(topics ?? {}).flatMap(([key, status]) =>
    status === 'subscribed' ? [key] : [],
  )
}
