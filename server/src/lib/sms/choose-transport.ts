/** The wire that `SMS_URL` asks for. */

import type { Log } from '../process/log.ts'
import type { Clock } from '../time/clock.ts'
import { createKannelWire } from './kannel-transport.ts'
import { createSmppWire } from './smpp/smpp-transport.ts'
import type { SmsOptions } from './sms-url.ts'
import type { SmsListener, SmsWire } from './transport.ts'
import { createTwilioWire } from './twilio-transport.ts'

export interface SmsWireDeps {
  clock: Clock
  log: Log
  /** Where providers over HTTP reach us; their name is added: `https://crier.example/hooks/sms`. */
  hooks: string
  /** Hears what comes over SMPP. */
  listener: SmsListener
}

export function createSmsWire(options: SmsOptions, deps: SmsWireDeps): SmsWire {
  const hook = `${deps.hooks}/${options.provider}`
  switch (options.provider) {
    case 'twilio':
      return createTwilioWire(options, { hook })
    case 'kannel':
      return createKannelWire(options, { hook })
    case 'smpp':
      return createSmppWire(options, deps)
  }
}
