/** What is counted and listed of the confirmations of one form. */
import type { Id } from '../../core/ids.ts'

export interface FormOfConfirmations {
  businessId: Id<'business'>
  formId: Id<'form'>
}

/** How people answered the newest confirmations of a form that are not held. */
export interface Response {
  asked: number
  confirmed: number
  /** Mailed so long ago that there was time to answer. */
  mailedLongAgo: number
  /** Of those. */
  answeredInTime: number
}

export interface Sample {
  /** Counts confirmations that were asked for after this moment. */
  since: Date
  /** Those mailed before this moment had time to be answered. */
  mailedBefore: Date
  /** How long after its mail a confirmation is answered in time. */
  answerMs: number
  /** The newest alone are looked at. */
  most: number
}

export interface HeldConfirmation {
  id: Id<'confirmation'>
  contactId: Id<'contact'>
  address: string
  /** Whether no challenge was solved; otherwise too many mails were sent that hour. */
  unproven: boolean
  askedAt: Date
  heldAt: Date
}

export interface HeldPage {
  before: Id<'confirmation'> | null
  limit: number
}

/** Which of those that are held; null for the oldest. */
export interface HeldChoice {
  ids: readonly Id<'confirmation'>[] | null
  limit: number
}
