/** How this installation sends texts: the transport, and the senders. */

import type { ReadSenderProfile } from '../../accounts/businesses/sender-profile.ts'
import { type Config, mayShowInbox } from '../../config.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { isTwin } from '../../core/ids.ts'
import { inboxNumber, phonesRoute } from '../../core/inbox/phones.ts'
import { isSimulated } from '../../core/inbox/simulated-address.ts'
import type { Log } from '../../lib/process/log.ts'
import { createSmsTransport } from '../../lib/sms/choose-transport.ts'
import { routeOf, type SmsProvider } from '../../lib/sms/sms-url.ts'
import type { SmsListener, SmsTransport } from '../../lib/sms/transport.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { TextSenders } from '../model/dependencies.ts'
import { createTextSenders } from './text-senders.ts'

export interface TextingDeps {
  /** Takes the texts of test keys, those to simulated numbers, and all where there is no provider. */
  simulator: SmsTransport
  clock: Clock
  log: Log
  config: Pick<Config, 'sms' | 'baseUrl' | 'appUrl' | 'host' | 'allowInbox'>
  senderProfileOf: ReadSenderProfile
  /** The listener for everything that arrives over a route. */
  listenerOn(route: string): SmsListener
}

export interface Texting {
  transport: SmsTransport
  /** Takes the texts of test keys. */
  simulator: SmsTransport
  provider: SmsProvider | 'inbox'
  senders: TextSenders
  /** The listener for everything that arrives over this transport, by any route. */
  listener: SmsListener
}

export function createTexting(deps: TextingDeps): Texting {
  const { clock, log, config, simulator, senderProfileOf, listenerOn } = deps
  const { sms: options, baseUrl } = config
  if (!options) {
    const senders = createTextSenders({ senderProfileOf, from: inboxNumber, isNeeded: false })
    return {
      transport: simulator,
      simulator,
      provider: 'inbox',
      // If nobody may look at the built-in phones, texts must not appear to be sent.
      senders: inTestMode(
        mayShowInbox(config) ? senders : { textSenderOf: async () => notSetUp() },
      ),
      listener: listenerOn(phonesRoute),
    }
  }
  const { from, provider } = options
  const listener = listenerOn(routeOf(options))
  return {
    transport: createSmsTransport(options, { clock, log, hooks: `${baseUrl}/hooks/sms`, listener }),
    simulator,
    provider,
    // With other providers each business may have a sender of its own.
    senders: inTestMode(
      createTextSenders({ senderProfileOf, from, isNeeded: provider === 'twilio' }),
    ),
    listener,
  }
}

/**
 * Test mode and simulated numbers need no sender and no provider. Their sender is nobody's, so that
 * STOP stays apart.
 */
function inTestMode({ textSenderOf }: TextSenders): TextSenders {
  return {
    textSenderOf: async (businessId, to = '') =>
      isTwin(businessId) || isSimulated(to)
        ? { from: inboxNumber, marketing: true }
        : textSenderOf(businessId),
  }
}

function notSetUp(): Refusal {
  const text = 'This service has no provider of texts. Its operator sets SMS_URL.'
  return refuse('conflict', text, { data: { reason: 'no_sms' } })
}
