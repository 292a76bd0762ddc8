/** A mail that a program submitted, as far as Crier sends it on. */

export interface SubmittedFile {
  filename: string
  content_type: string
  /** Base64. */
  content: string
  content_id?: string
}

export interface SubmittedMail {
  messageId: string | undefined
  /** `Name <address>`, or the address alone; undefined where the field is missing. */
  from: string | undefined
  replyTo: string[]
  /** The addresses of To and Cc as the mail shows them. */
  to: string[]
  cc: string[]
  /** The names that To and Cc show beside addresses, in small letters. */
  names: [address: string, name: string][]
  subject: string
  html: string | undefined
  text: string | undefined
  files: SubmittedFile[]
  /** Fields that may be sent on, in order: all but those that Crier writes itself. */
  headers: [name: string, value: string][]
  /** Fields that begin with X-Crier-, by the rest of their name in lower case. */
  settings: [name: string, value: string][]
}
