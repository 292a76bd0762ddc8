/** Consent that a person is asked to confirm by mail. */
import type { Id } from '../../core/ids.ts'
import type { ConsentBox } from '../contact.ts'

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
  /** The page that the form was on, and the form's version. */
  page: string | null
  formVersion: number | null
  box: ConsentBox | null
  /** The language that the person read (BCP 47). */
  language: string | null
  /** The form that the request came by. */
  formId: Id<'form'> | null
  /** No challenge was solved on a guarded form, so the mail waits until a person releases it. */
  unproven: boolean
  /** When the person left, whom an OAuth connection would bring back. */
  leftAt: Date | null
  /** Whether the contact was created with it and is known for nothing else. */
  madeContact: boolean
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export interface Confirmation extends Omit<NewConfirmation, 'businessId'> {
  /** Whether the person was erased: then no contact exists before they confirm. */
  isReturn: boolean
  /** When a person released the mail that was held. */
  releasedAt: Date | null
  askedAt: Date
  createdAt: Date
  mailedAt: Date | null
  remindedAt: Date | null
  confirmedAt: Date | null
  endedAt: Date | null
}
