/** Consent that a person is asked to confirm by mail. */
import type { Id } from '../../core/ids.ts'
import type { ConsentBox } from './contact.ts'

export interface NewConfirmation {
  businessId: Id<'business'>
  id: Id<'confirmation'>
  contactId: Id<'contact'>
  /** An email address, normalised. */
  address: string
  topics: string[] | null
  source: string
  text: string | null
  ip: string | null
  agent: string | null
  /** Of the form: the page that it was on, and its version. */
  page: string | null
  formVersion: number | null
  box: ConsentBox | null
  /** BCP 47, of what the person read. */
  language: string | null
  /** The form that it came by. */
  formId: Id<'form'> | null
  /** No challenge was solved on a guarded form: the mail waits for a person's release. */
  unproven: boolean
  /** Whether the contact was made with it, and is known for nothing else. */
  madeContact: boolean
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export interface Confirmation extends Omit<NewConfirmation, 'businessId'> {
  /** Of somebody who was erased: there is no contact before they confirm. */
  isReturn: boolean
  /** The mail was held and a person has released it. */
  releasedAt: Date | null
  askedAt: Date
  createdAt: Date
  mailedAt: Date | null
  remindedAt: Date | null
  confirmedAt: Date | null
  endedAt: Date | null
}
