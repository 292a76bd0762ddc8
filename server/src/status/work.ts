import { days, minutes } from '../lib/time/clock.ts'

/** What nodes count, for the pictures of the last day. */
export const workKinds = [
  'calls',
  'calls_failed',
  'mails',
  'texts',
  'messages_deferred',
  'messages_failed',
  'webhooks',
  'webhooks_failed',
] as const
export type WorkKind = (typeof workKinds)[number]

/** The length of a slot, whose counts are one number. */
export const slotMs = minutes(10)
export const keptWorkMs = days(2)
