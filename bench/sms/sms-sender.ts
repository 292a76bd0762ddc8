import { type SenderProcess, startSender } from '../support/sender-process.ts'

export interface SmsSenderOptions {
  connection: { host: string; user: string; database: string }
  smsUrl: string
  dataDir: string
}

export function startSmsSender(options: SmsSenderOptions): Promise<SenderProcess> {
  return startSender('sms-sender.ts', options)
}
