/** The choices that a person has with a business, and the changes that a request makes. Pure. */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import { mayTrack } from '../accounts/businesses/may-track.ts'
import { chosen } from '../contacts/consent/consent.ts'
import {
  type Channel,
  type ConsentSubject,
  type ContactValues,
  topicStatusOf,
} from '../contacts/contact.ts'
import type { Topic } from '../contacts/topics/topic.ts'

export interface TopicChoice {
  key: string
  name: string
  description: string | null
  /** Whether the person gets this topic, if they get the channel. */
  wanted: boolean
}

export interface Choice {
  channel: Channel
  /** Part of the address or number, enough for its owner to recognise it. */
  hint: string
  subscribed: boolean
  topics: TopicChoice[]
}

/** Whether opens and clicks of the person are recorded. */
export interface TrackingChoice {
  allowed: boolean
}

/** How often a person wants marketing: as it comes, at most one message a week, feeds alone, or none for a while. */
export const oftens = ['all', 'weekly', 'digest', 'pause'] as const
export type Often = (typeof oftens)[number]

/** The person's request. Channels and topics that it does not name stay unchanged. */
export interface Wish {
  channels: Readonly<Partial<Record<Channel, boolean>>>
  /** By the topic's key. */
  topics: Readonly<Partial<Record<Channel, ReadonlyMap<string, boolean>>>>
  tracking?: boolean | undefined
  often?: Often | undefined
}

export function choicesOf(contact: ContactValues, topics: readonly Topic[]): Choice[] {
  const { email, phone, consent } = contact
  const choiceOn = (channel: Channel, hint: string): Choice => ({
    channel,
    hint,
    subscribed: consent[channel] === 'subscribed',
    topics: topics.map(({ key, name, description }) => ({
      key,
      name,
      description,
      wanted: isWanted(contact, channel, key),
    })),
  })
  return [
    ...(email === null ? [] : [choiceOn('email', emailHint(email))]),
    ...(phone === null ? [] : [choiceOn('sms', `•••${phone.slice(-3)}`)]),
  ]
}

/** The same rule as `covers` in SQL. */
function isWanted({ topics }: ContactValues, channel: Channel, key: string): boolean {
  const status = topicStatusOf(topics, channel, key)
  if (status !== undefined) return status === 'subscribed'
  return chosen(topics[channel]).length === 0
}

/** A single opt-in or opt-out. */
export interface Change {
  channel: ConsentSubject
  /** Undefined for the whole channel. */
  topic: TopicChoice | undefined
  wanted: boolean
  /** The person was asked anew, and says again what stands. */
  isAffirmed?: true
}

/** Undefined if the business tracks nobody, so that there is no choice. */
export function trackingChoiceOf(
  { consent }: ContactValues,
  { tracking, trackOpens, trackClicks }: SenderProfile,
): TrackingChoice | undefined {
  if (tracking === 'nobody' || !(trackOpens || trackClicks)) return undefined
  return { allowed: mayTrack(tracking, consent.tracking) }
}

/** A person who never objected changes nothing by leaving the box as it is. */
export function trackingChangeOf(
  choice: TrackingChoice | undefined,
  { tracking: wanted }: Wish,
): Change[] {
  if (wanted === undefined || !choice || choice.allowed === wanted) return []
  return [{ channel: 'tracking', topic: undefined, wanted }]
}

/**
 * The changes that the request makes. Topics come first, because leaving the last chosen topic also
 * leaves the channel, and a request for the channel itself takes precedence over that.
 */
export function changesOf(choices: readonly Choice[], request: Wish): Change[] {
  const topics = choices.flatMap(({ channel, topics: all }) =>
    all.flatMap((topic): Change[] => {
      const wanted = request.topics[channel]?.get(topic.key)
      if (wanted === undefined || wanted === topic.wanted) return []
      return [{ channel, topic, wanted }]
    }),
  )
  const channels = choices.flatMap(({ channel, subscribed }): Change[] => {
    const wanted = request.channels[channel]
    return wanted === undefined || wanted === subscribed
      ? []
      : [{ channel, topic: undefined, wanted }]
  })
  return [...topics, ...channels]
}

/** A yes to a mail that asks for permission to write is recorded, although it changes nothing. */
export function affirmedIn(choices: readonly Choice[], { channels }: Wish): Change[] {
  const isAffirmed = choices.some(({ channel, subscribed }) => channel === 'email' && subscribed)
  if (!isAffirmed || channels.email !== true) return []
  return [{ channel: 'email', topic: undefined, wanted: true, isAffirmed }]
}

/** Links are forwarded to others, so the page must not show the whole address. */
function emailHint(email: string): string {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}•••${email.slice(at)}`
}
