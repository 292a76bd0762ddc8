export interface MailPoolOptions {
  port: number
  connections: number
  messages: number
  /** In PEM. */
  key: string
  domain: string
  words: { subject: string; html: string; text: string }
}
