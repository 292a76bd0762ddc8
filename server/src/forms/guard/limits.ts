import { hours } from '../../lib/time/clock.ts'

/** When a form is guarded, and what it may do then (docs/design/forms.md). */
export const guardLimits = {
  /** Confirmations of so long are looked at, and the newest alone. */
  sampleMs: hours(24),
  sampleMost: 500,
  /** How long people have to answer the mail. */
  answerMs: hours(1),
  /** More than so many mails that had their time to be answered are judged. */
  mailed: 20,
  /** More than so many that wait are judged at once. */
  waiting: 100,
  /** The share of answers below which a form is abused. */
  leastAnswered: 0.2,
  /** Confirmation mails of a guarded form in any hour. */
  mailsPerHour: 20,
  /** How often it is judged whether a guarded form may turn back. */
  checkMs: hours(1),
  /** More than so many that were held since the last look keep the form guarded. */
  heldPerCheck: 20,
  /** Leading zero bits of the hash that a challenge asks for: about a second of a browser's work. */
  proofBits: 16,
  /** How many that are held one call releases or discards. */
  heldPerCall: 200,
} as const
