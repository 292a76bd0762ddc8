/** Counts and lists of the confirmations of one form. */
import type { Id } from '../../core/ids.ts'

export interface FormOfConfirmations {
  businessId: Id<'business'>
  formId: Id<'form'>
}

/** How people answered the newest confirmations of a form that are not held. */
export interface Response {
  asked: number
  confirmed: number
  /** Confirmations that were mailed so long ago that there was time to answer. */
  mailedLongAgo: number
  /** How many of those were answered in time. */
  answeredInTime: number
}

export interface Sample {
  /** Counts confirmations that were requested after this moment. */
  since: Date
  /** Confirmations that were mailed before this moment had time to be answered. */
  mailedBefore: Date
  /** The time after its mail within which a confirmation is answered in time, in milliseconds. */
  answerMs: number
  /** The most confirmations that are counted, the newest first. */
  most: number
}

export interface HeldConfirmation {
  id: Id<'confirmation'>
  contactId: Id<'contact'>
  address: string
  /** Whether no challenge was solved; otherwise too many mails had been sent that hour. */
  unproven: boolean
  askedAt: Date
  heldAt: Date
}

export interface HeldPage {
  before: Id<'confirmation'> | null
  limit: number
}

/** Which held confirmations a call is about; the oldest ones if `ids` is null. */
export interface HeldChoice {
  ids: readonly Id<'confirmation'>[] | null
  limit: number
}
