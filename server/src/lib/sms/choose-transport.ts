/** Chooses the transport that `SMS_URL` names. */

import type { Log } from '../process/log.ts'
import type { Clock } from '../time/clock.ts'
import { createKannelTransport } from './kannel.ts'
import { createSmppTransport } from './smpp/smpp-transport.ts'
import type { SmsOptions } from './sms-url.ts'
import type { SmsListener, SmsTransport } from './transport.ts'
import { createTwilioTransport } from './twilio.ts'

export interface SmsTransportDeps {
  clock: Clock
  log: Log
  /** The base URL for providers over HTTP, plus their name: `https://crier.example/hooks/sms`. */
  hooks: string
  /** Receives the events that come over SMPP. */
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
