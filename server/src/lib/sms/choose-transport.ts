/** The transport that `SMS_URL` asks for. */

import type { Log } from '../process/log.ts'
import type { Clock } from '../time/clock.ts'
import { createKannelTransport } from './kannel-transport.ts'
import { createSmppTransport } from './smpp/smpp-transport.ts'
import type { SmsOptions } from './sms-url.ts'
import type { SmsListener, SmsTransport } from './transport.ts'
import { createTwilioTransport } from './twilio-transport.ts'

export interface SmsTransportDeps {
  clock: Clock
  log: Log
  /** Where providers over HTTP reach us; their name is added: `https://crier.example/hooks/sms`. */
  hooks: string
  /** Hears what comes over SMPP. */
  listener: SmsListener
}

export function createSmsTransport(options: SmsOptions, deps: SmsTransportDeps): SmsTransport {
  const hook = `${deps.hooks}/${options.provider}`
  switch (options.provider) {
    case 'twilio':
      return createTwilioTransport(options, { hook })
    case 'kannel':
      return createKannelTransport(options, { hook })
    case 'smpp':
      return createSmppTransport(options, deps)
  }
}
