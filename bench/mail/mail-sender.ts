import { type SenderProcess, startSender } from '../support/sender-process.ts'

export interface MailSenderOptions {
  connection: { host: string; user: string; database: string }
  smtpUrl: string
  dataDir: string
  /** In PEM. */
  key: string
  domain: string
}

export function startMailSender(options: MailSenderOptions): Promise<SenderProcess> {
  return startSender('mail-sender.ts', options)
}
