/** Complaints (ARF, RFC 5965): a person reported to the mailbox provider that this is spam. */
import type { ReturnedMail } from './read-mail.ts'
import { fieldsIn } from './report-fields.ts'

/**
 * Types by which a person rejects such mail (RFC 5965 section 7.3). `not-spam` means the opposite;
 * `auth-failure` and `virus` are not a person's wish.
 */
const complaining = ['abuse', 'fraud', 'opt-out']

export interface Complaint {
  /** The type of the feedback, and who collected it. */
  words: string
}

/** Undefined if the mail is not a feedback report, or if the report is not a complaint. */
export function readComplaint(mail: ReturnedMail): Complaint | undefined {
  const part = mail.parts.get('message/feedback-report')
  if (part === undefined) return undefined
  const fields = fieldsIn(part)
  const type = fields.get('feedback-type')?.toLowerCase() ?? ''
  if (!complaining.includes(type)) return undefined
  const agent = fields.get('user-agent')
  return { words: agent === undefined ? type : `${type}, ${agent}` }
}
