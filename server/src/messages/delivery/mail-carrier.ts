import { formatId, isTwin } from '../../core/ids.ts'
import { isSimulated } from '../../core/inbox/simulated-address.ts'
import { classify } from '../../lib/email/classify.ts'
import { releaseBuffer } from '../../lib/email/message-buffers.ts'
import type { Envelope, SendResult } from '../../lib/email/transport.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type ComposeDeps, type Composed, compose } from '../composing/compose.ts'
import type { Message } from '../model/message.ts'
import { count, type Relay, type Relays, useRelay } from '../relays/relays.ts'
import type { HeldUntil } from '../throttle/provider-holds.ts'
import type { FindProvider } from '../throttle/receiving.ts'
import type { Answer, Carrier, Hop } from './carrier.ts'

export interface MailCarrierDeps {
  relays: Pick<Relays, 'all' | 'relaysOf'>
  /** Takes the mail of test keys, and that to simulated addresses. */
  simulator?: Relay
  composing: ComposeDeps
  findProvider: FindProvider
  heldUntil: HeldUntil
  clock: Clock
}

export function createMailCarrier(deps: MailCarrierDeps): Carrier {
  const { relays, simulator, composing, findProvider, heldUntil } = deps
  return {
    get connections() {
      const all = simulator ? [...relays.all, simulator] : relays.all
      return all.reduce((sum, { transport }) => sum + transport.connections, 0)
    },
    async heldAt({ businessId, campaignId, to }, now) {
      if (campaignId === null || staysHere({ businessId, to })) return undefined
      const provider = await findProvider(to)
      const until = await heldUntil({ businessId, campaignId, provider }, now)
      return until && { provider, until }
    },
    async prepare(row, now) {
      const composed = await compose(composing, row, now)
      if (simulator && staysHere(row)) {
        const hops = [hopOf(deps, simulator, composed)]
        return { sender: composed.domain, provider: simulator.name, hops }
      }
      const [ways, provider] = await Promise.all([
        relays.relaysOf(row.businessId, row.kind),
        findProvider(row.to),
      ])
      const hops = ways.map((relay) => hopOf(deps, relay, composed))
      return { sender: composed.domain, provider, hops }
    },
    // A relay may refuse the connection itself, with 421 instead of its greeting.
    asksForLess({ words = '' }) {
      const code = Number(/^[45]\d\d/.exec(words)?.[0])
      return code > 0 && classify({ code, text: words }).slower
    },
  }
}

/** What the simulator takes, wherever the mail of live businesses goes. */
const staysHere = ({ businessId, to }: Pick<Message, 'businessId' | 'to'>) =>
  isTwin(businessId) || isSimulated(to)

function hopOf({ clock }: MailCarrierDeps, relay: Relay, { envelope, message }: Composed): Hop {
  return {
    route: relay.transport.route,
    throttle: relay.throttle,
    over: (turn, work) =>
      useRelay(relay, clock, turn, (connection) =>
        work(async () => {
          const sent = await connection.send(envelope, withLines(relay, envelope, message))
          if (sent.result === 'accepted') releaseBuffer(message)
          const answer = answerOf(sent)
          // A refusal may be meant for this sender alone, among the businesses that share the relay.
          const isLost = sent.result === 'untouched' || sent.result === 'unclear'
          if (isLost) relay.health.broke(clock.now())
          else relay.health.worked()
          count(relay, answer.result)
          return answer
        }),
      ),
  }
}

/** The lines for the relay's provider come before what is signed, which stays as it is. */
function withLines({ lines }: Relay, { messageId }: Envelope, message: Buffer): Buffer {
  if (!lines || messageId === undefined) return message
  const text = lines(formatId('message', messageId)).map((line) => `${line}\r\n`)
  return Buffer.concat([Buffer.from(text.join('')), message])
}

export function answerOf(sent: SendResult): Answer {
  if (sent.result === 'accepted') {
    return { ...sent, code: /^\d{3}/.exec(sent.words)?.[0] ?? null }
  }
  if (sent.result !== 'refused') return sent
  const verdict = classify({ code: sent.code, text: sent.words })
  const { kind, cause, missing, final, slower, status } = verdict
  const { words, before } = sent
  // A final refusal of the recipient is true of every relay.
  const isEarly = before === 'sender' || (before === 'recipient' && sent.code < 500)
  const code = status ?? String(sent.code)
  return {
    result: 'refused',
    final,
    kind,
    slower,
    code,
    words,
    ...(cause === 'message' && { isAboutMessage: true }),
    ...(missing.length > 0 && { missing }),
    ...(isEarly && { isEarly }),
  }
}
