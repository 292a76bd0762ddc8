export interface MailPoolOptions {
  port: number
  connections: number
  messages: number
  /** PEM. */
  key: string
  domain: string
  words: { subject: string; html: string; text: string }
}
