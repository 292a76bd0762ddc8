import type { Id } from '../../core/ids.ts'
import type { EventSelector } from '../../events/catalog.ts'
import { seconds } from '../../lib/time/clock.ts'

/** Limits of a subscription, and of a rotation. */
export const webhookLimits = {
  urlLength: 2048,
  descriptionLength: 500,
  /** The most tags of a filter. */
  filterTags: 20,
  /** The longest time, in seconds, for which an old secret may sign beside the new one. */
  graceSeconds: 604_800,
} as const

export const webhookStatuses = ['active', 'paused'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** `connection_ended`: its holder's connection ended, or no longer reaches the business. */
export const pauseReasons = ['asked', 'connection_ended'] as const
export type PauseReason = (typeof pauseReasons)[number]

/**
 * The holder of its rights: the connection that last changed it, or the person who did so in the
 * app.
 */
export type Holder = Id<'connection'> | Id<'user'>

/** Which events a webhook gets, by their data. Events whose data never has a field pass it. */
export interface EventFilter {
  /** One of these is among the event's tags. */
  tags?: string[]
  /** The message was made from this template. */
  template?: Id<'template'>
}

export interface Webhook {
  id: Id<'webhook'>
  /** As the caller wrote it. */
  url: string
  events: EventSelector[]
  filter: EventFilter | null
  description: string | null
  holder: Holder
  pausedBecause: PauseReason | null
  /** The time since which its receiver has answered no attempt. Null while it responds. */
  failingSince: Date | null
  /** When the last replay of several events was asked for. Null if there was none. */
  replayAt: Date | null
  replayTotal: number
  replayDone: number
  createdAt: Date
  updatedAt: Date
}

/** The job that delivers one event to one subscription, in the subscription's lane. */
export const deliverJob = 'webhook.deliver'

/** Limits of one request. */
export const deliveryLimits = {
  /** The time limit from the start, including DNS and connecting, to the end of the headers. */
  answerMs: seconds(5),
  /** The further time limit for the body, which has no influence on the outcome. */
  bodyMs: seconds(1),
  readBytes: 16 * 1024,
  /** The bytes of the body that the log stores. */
  keptBytes: 1024,
} as const
