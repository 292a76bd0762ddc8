import { hours } from '../../lib/time/clock.ts'

/** Limits on when a form is guarded, and on what it may do then (docs/design/forms.md). */
export const guardLimits = {
  /** The confirmations that are judged: their age, and their number, newest first. */
  sampleMs: hours(24),
  sampleMost: 500,
  /** How long people have to answer the mail. */
  answerMs: hours(1),
  /** If more mails than this have had their time to be answered, their answers are judged. */
  mailed: 20,
  /** If more confirmations than this wait for an answer, they are judged at once. */
  waiting: 100,
  /** The share of answers below which a form is abused. */
  leastAnswered: 0.2,
  /** The confirmation mails that a guarded form sends in any hour. */
  mailsPerHour: 20,
  /** How often a guarded form is checked for the end of the abuse. */
  checkMs: hours(1),
  /** A form stays guarded if more confirmations than this were held since the last check. */
  heldPerCheck: 20,
  /** Leading zero bits that a challenge requires of a hash: about a second of a browser's work. */
  proofBits: 16,
  /** How many held confirmations one call releases or discards. */
  heldPerCall: 200,
  /** How many each connection releases in 24 hours, of all forms of a business. */
  releasedPerDay: 20,
} as const
