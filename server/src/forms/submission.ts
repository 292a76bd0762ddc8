import type { Id } from '../core/ids.ts'

/** One answer to a form, as it was taken; nothing changes it but erasure. */
export interface Submission {
  id: Id<'submission'>
  contactId: Id<'contact'>
  /** The form's when the answers were checked. */
  formVersion: number
  fields: Record<string, string>
  sourceUrl: string
  createdAt: Date
}
