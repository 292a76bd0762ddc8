/** How this installation sends texts: the transport, the senders, and which businesses texted a number. */

import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import { type Config, mayShowInbox } from '../config.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { isTwin } from '../core/ids.ts'
import { inboxNumber, phonesRoute } from '../core/inbox/phones.ts'
import { isSimulated } from '../core/inbox/simulated-address.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import type { Log } from '../lib/process/log.ts'
import { createSmsTransport } from '../lib/sms/choose-transport.ts'
import { canBeAnswered } from '../lib/sms/sender.ts'
import { routeOf, type SmsProvider } from '../lib/sms/sms-url.ts'
import type { SmsListener, SmsTransport } from '../lib/sms/transport.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { TextSenders } from './dependencies.ts'
import type { TextedBusiness } from './message.ts'

interface TextingDeps {
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

interface TextSendersDeps {
  senderProfileOf: ReadSenderProfile
  /** The sender of businesses without a sender of their own. Undefined if the provider chooses. */
  from: string | undefined
  /** Whether the provider requires a sender. */
  isNeeded: boolean
}

export function createTextSenders(deps: TextSendersDeps): TextSenders {
  return {
    async textSenderOf(businessId) {
      const from = (await deps.senderProfileOf(businessId))?.smsSender ?? deps.from
      if (from === undefined && deps.isNeeded) return noTextSender()
      const isMute = from !== undefined && !canBeAnswered(from)
      return { from, marketing: isMute ? nobodyCanSayStop(from) : true }
    },
  }
}

function noTextSender(): Refusal {
  return refuse('conflict', `This business has no SMS sender. ${byAnOwner}`, {
    fix,
    data: { reason: 'no_sms_sender_set' },
  })
}

/** An example that nobody can save by mistake, because it is not a number. */
const fix = { tool: 'business.save', arguments: { sms_sender: '<+33612345678>' } }
const byAnOwner =
  'An owner of the business sets it in its settings: a number in international form, or a short code.'

function nobodyCanSayStop(sender: string): Refusal {
  const text = `Marketing by SMS needs a sender to whom people can answer STOP: a number or a short code, not the name ${sender}. ${byAnOwner}`
  return refuse('conflict', text, { fix, data: { reason: 'no_sms_sender_set' } })
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

/** Returns each business with each of its senders, most recent first. @param phone E.164. */
export async function textedBy(db: Db, phone: string): Promise<TextedBusiness[]> {
  const text = await findTexted(db, phone)
  return text.sort((a, b) => (a.messageId < b.messageId ? 1 : -1))
}

/** A message that was never tried has no sender yet, and its recipient does not know of it. */
function findTexted(db: Db, phone: string): Promise<TextedBusiness[]> {
  return db.all(sql`
    select distinct on (business_id, sender_domain) business_id as "businessId",
      sender_domain as sender, id as "messageId"
    from messages
    where channel = 'sms' and recipient = ${phone} and sender_domain is not null and attempts > 0
    order by business_id, sender_domain, id desc
  `)
}
