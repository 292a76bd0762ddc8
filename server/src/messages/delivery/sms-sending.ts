/** How this installation sends texts: over which transport, and whom they are from. */

import type { ReadSenderProfile } from '../../accounts/businesses/sender-profile.ts'
import { type Config, mayShowInbox } from '../../config.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { createPhonesTransport, inboxNumber, phonesRoute } from '../../core/inbox/phones.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import { createSmsTransport } from '../../lib/sms/choose-transport.ts'
import { routeOf, type SmsProvider } from '../../lib/sms/sms-url.ts'
import type { SmsListener, SmsTransport } from '../../lib/sms/transport.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { TextSenders } from '../model/dependencies.ts'
import { createTextSenders } from './text-senders.ts'

export interface TextingDeps {
  db: Database
  clock: Clock
  log: Log
  config: Pick<Config, 'sms' | 'baseUrl' | 'appUrl' | 'host' | 'allowInbox'>
  senderProfileOf: ReadSenderProfile
  /** Hears what comes in by a route. */
  listenerOn(route: string): SmsListener
}

export interface Texting {
  transport: SmsTransport
  provider: SmsProvider | 'inbox'
  senders: TextSenders
  /** Hears what comes in over this transport, however it arrives. */
  listener: SmsListener
}

export function createTexting(deps: TextingDeps): Texting {
  const { db, clock, log, config, senderProfileOf, listenerOn } = deps
  const { sms: options, baseUrl } = config
  if (!options) {
    const senders = createTextSenders({ senderProfileOf, from: inboxNumber, isNeeded: false })
    return {
      transport: createPhonesTransport({ db, clock }),
      provider: 'inbox',
      // Where nobody can look at the phones, texts must not seem to have gone.
      senders: mayShowInbox(config) ? senders : { textSenderOf: async () => notSetUp() },
      listener: listenerOn(phonesRoute),
    }
  }
  const { from, provider } = options
  const listener = listenerOn(routeOf(options))
  return {
    transport: createSmsTransport(options, { clock, log, hooks: `${baseUrl}/hooks/sms`, listener }),
    provider,
    // The others may have one of their own.
    senders: createTextSenders({ senderProfileOf, from, isNeeded: provider === 'twilio' }),
    listener,
  }
}

function notSetUp(): Refusal {
  const text = 'This service has no provider of texts. Its operator sets SMS_URL.'
  return refuse('conflict', text)
}
