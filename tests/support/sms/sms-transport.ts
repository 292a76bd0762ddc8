/** A transport made from an `SMS_URL`, and the events that it receives. */
import assert from 'node:assert/strict'
import { createSmsTransport } from 'crier-server/lib/sms/choose-transport.ts'
import { parseSmsUrl } from 'crier-server/lib/sms/sms-url.ts'
import type {
  InboundText,
  SmsReceipt,
  SmsSent,
  SmsTransport,
  Text,
} from 'crier-server/lib/sms/transport.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { silentLog } from '../silent-log.ts'

export interface OpenTransport extends SmsTransport {
  receipts: SmsReceipt[]
  texts: InboundText[]
  /** Sends `Hello` to a fixed number, unless `text` says otherwise. */
  sendOne(text?: Partial<Text>): Promise<SmsSent>
}

export function openSmsTransport(
  url: string,
  hooks = 'https://crier.test/hooks/sms',
): OpenTransport {
  const options = parseSmsUrl(url)
  assert.ok(options)
  const receipts: SmsReceipt[] = []
  const texts: InboundText[] = []
  const listener = {
    receipt: async (receipt: SmsReceipt) => void receipts.push(receipt),
    inbound: async (text: InboundText) => void texts.push(text),
  }
  const transport = createSmsTransport(options, {
    clock: systemClock,
    log: silentLog,
    hooks,
    listener,
  })
  const common = { from: '12345', to: '+33612345678', body: 'Hello' }
  return Object.assign(transport, {
    receipts,
    texts,
    sendOne: (text: Partial<Text> = {}) =>
      transport.use('normal', (connection) => connection.send({ ...common, ...text })),
  })
}
