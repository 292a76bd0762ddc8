/**
 * The carrier of texts: renders and measures them, defers them during quiet hours, and sends them
 * over a provider's connection.
 */
import { orThrow } from '../core/errors.ts'
import { isTwin } from '../core/ids.ts'
import { isSimulated } from '../core/inbox/simulated-address.ts'
import { quietUntil } from '../lib/phone/quiet-hours.ts'
import { composeText, segmentsOf } from '../lib/sms/segments.ts'
import type { SmsSent, SmsTransport } from '../lib/sms/transport.ts'
import type { Answer } from './attempts.ts'
import type { Carrier } from './deliver.ts'
import type { TextSenders } from './dependencies.ts'
import type { Message } from './message.ts'
import { tooLong } from './text-words.ts'
import { textProvider } from './throttle/provider.ts'
import type { Throttle } from './throttle/throttle.ts'

interface TextHop {
  transport: SmsTransport
  throttle: Throttle
}

export interface TextCarrierDeps {
  transport: SmsTransport
  throttle: Throttle
  /** Takes the texts of test keys, and those to simulated numbers. */
  simulator?: TextHop
  senders: TextSenders
  /** The content of the text, or the refusal of one that cannot be rendered. */
  wordsOf(message: Message): Promise<string>
}

export function createTextCarrier({
  transport,
  throttle,
  simulator,
  senders,
  wordsOf,
}: TextCarrierDeps): Carrier {
  return {
    connections: transport.connections,
    async prepare(message) {
      const sender = orThrow(await senders.textSenderOf(message.businessId, message.to))
      if (message.kind === 'marketing' && sender.marketing !== true) throw sender.marketing
      const body = composeText(await wordsOf(message))
      const { segments } = segmentsOf(body)
      const long = tooLong(segments)
      if (long) throw long
      const hop = simulator && staysHere(message) ? simulator : { transport, throttle }
      const text = { from: sender.from, to: message.to, body, messageId: message.id }
      return {
        sender: sender.from ?? chosenByProvider,
        provider: textProvider,
        // Deferred, never dropped: a text that was requested at night is sent in the morning.
        waitsUntil: (at) =>
          message.kind === 'marketing'
            ? quietUntil(message.to, message.zone ?? undefined, at)
            : undefined,
        hops: [
          {
            route: hop.transport.route,
            throttle: hop.throttle,
            over: (turn, work) =>
              hop.transport.use(turn, (connection) =>
                work(async () => answerOf(await connection.send(text), segments)),
              ),
          },
        ],
      }
    },
    asksForLess: () => false,
  }
}

const staysHere = ({ businessId, to }: Message) => isTwin(businessId) || isSimulated(to)

/** Replies arrive at one of the provider's numbers, which is unknown here. */
const chosenByProvider = ''

function answerOf(sent: SmsSent, segments: number): Answer {
  if (sent.result === 'accepted') {
    const { providerId, words } = sent
    return {
      result: 'accepted',
      code: null,
      words,
      takenAs: providerId,
      segments: sent.segments ?? segments,
    }
  }
  return sent.result === 'refused' ? { ...sent, slower: sent.slower ?? false } : sent
}
