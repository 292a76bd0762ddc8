/** What a person may choose of a business, and what a wish changes of it. Pure. */
import { type Channel, type ContactValues, saidOfTopic } from '../contacts/model/contact.ts'
import type { Topic } from '../contacts/model/topic.ts'
import { chosen } from '../contacts/saving/merge-consent.ts'

export interface TopicChoice {
  key: string
  name: string
  description: string | null
  /** Whether the person gets it, where they get the channel at all. */
  wanted: boolean
}

export interface Choice {
  channel: Channel
  /** The address or number, so far that its owner knows it again. */
  hint: string
  subscribed: boolean
  topics: TopicChoice[]
}

/** What a person asks for; what is left out stays as it is. */
export interface Wish {
  channels: Readonly<Partial<Record<Channel, boolean>>>
  /** By the topic's key. */
  topics: Readonly<Partial<Record<Channel, ReadonlyMap<string, boolean>>>>
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

/** As `covers` says it in SQL. */
function isWanted({ topics }: ContactValues, channel: Channel, key: string): boolean {
  const said = saidOfTopic(topics, channel, key)
  if (said !== undefined) return said === 'subscribed'
  return chosen(topics[channel]).length === 0
}

/** One thing that the person says yes or no to. */
export interface Change {
  channel: Channel
  /** Undefined for the whole channel. */
  topic: TopicChoice | undefined
  wanted: boolean
}

/**
 * What the wish changes. Topics come first: leaving the last of those that were chosen leaves the
 * channel, and a wish for the channel itself is heard after that.
 */
export function changesOf(choices: readonly Choice[], wish: Wish): Change[] {
  const topics = choices.flatMap(({ channel, topics: all }) =>
    all.flatMap((topic): Change[] => {
      const wanted = wish.topics[channel]?.get(topic.key)
      if (wanted === undefined || wanted === topic.wanted) return []
      return [{ channel, topic, wanted }]
    }),
  )
  const channels = choices.flatMap(({ channel, subscribed }): Change[] => {
    const wanted = wish.channels[channel]
    return wanted === undefined || wanted === subscribed
      ? []
      : [{ channel, topic: undefined, wanted }]
  })
  return [...topics, ...channels]
}

/** Links are forwarded; the whole address is told to nobody who does not know it. */
function emailHint(email: string): string {
  const at = email.lastIndexOf('@')
  return `${Array.from(email)[0]}•••${email.slice(at)}`
}
