import type { Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import { seconds } from '../../lib/time/clock.ts'

/** Sizes of what a subscription is made of, and of a rotation. */
export const webhookLimits = {
  urlLength: 2048,
  descriptionLength: 500,
  /** Seconds that a former secret may sign on beside the new one. */
  graceSeconds: 604_800,
} as const

export const webhookStatuses = ['active', 'paused'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** `connection_ended`: whose right it has was ended, or reaches the business no more. */
export const pauseReasons = ['asked', 'connection_ended'] as const
export type PauseReason = (typeof pauseReasons)[number]

/** Whose right it has: the connection that said last what goes where, or the person who did in the app. */
export type Holder = Id<'connection'> | Id<'user'>

export interface Webhook {
  id: Id<'webhook'>
  /** As the caller wrote it. */
  url: string
  events: EventTypeName[]
  description: string | null
  holder: Holder
  pausedBecause: PauseReason | null
  /** Since when its receiver answers no attempt; null while it does. */
  failingSince: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The job that carries one event to one subscription; its lane is the subscription. */
export const deliverJob = 'webhook.deliver'

/** Of one request. */
export const deliveryLimits = {
  /** From the start, name and connection included, to the end of the answer's headers. */
  answerMs: seconds(5),
  /** From there on for its body, which decides nothing. */
  bodyMs: seconds(1),
  readBytes: 16 * 1024,
  /** Of the body, in the log. */
  keptBytes: 1024,
} as const
