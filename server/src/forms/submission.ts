import type { ConsentStatus } from '../contacts/contact.ts'
import type { Id } from '../core/ids.ts'

/** A person's submission to a form. Only erasure and merging change it. */
export interface Submission {
  id: Id<'submission'>
  contactId: Id<'contact'>
  /** The version of the form's fields that the answers were checked against. */
  formVersion: number
  fields: Record<string, string>
  sourceUrl: string
  /** The person's consent now; null where the contact is gone. */
  emailConsent: ConsentStatus | null
  smsConsent: ConsentStatus | null
  createdAt: Date
}
