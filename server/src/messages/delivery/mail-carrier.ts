/** The carrier of mail: composes and signs it, and sends it over SMTP or to the built-in inbox. */
import { isRefusal } from '../../core/errors.ts'
import { classify } from '../../lib/email/classify.ts'
import { trimMemory } from '../../lib/email/message-buffers.ts'
import type { Sent, Transport } from '../../lib/email/transport.ts'
import { type ComposeDeps, compose } from '../composing/compose.ts'
import type { Answer, Carrier } from './carrier.ts'

export interface MailCarrierDeps {
  transport: Transport
  composing: ComposeDeps
}

export function createMailCarrier({ transport, composing }: MailCarrierDeps): Carrier {
  return {
    route: transport.route,
    connections: transport.connections,
    async prepare(row, now) {
      const composed = await compose(composing, row, now)
      if (isRefusal(composed)) return composed
      const { envelope, message, domain } = composed
      return {
        sender: domain,
        over: (turn, work) =>
          transport.use(turn, (connection) =>
            work(async () => {
              const sent = await connection.send(envelope, message)
              if (sent.result === 'accepted') trimMemory(message)
              return answerOf(sent)
            }),
          ),
      }
    },
    // A relay may refuse the connection itself, with 421 instead of its greeting.
    asksForLess({ words = '' }) {
      const code = Number(/^[45]\d\d/.exec(words)?.[0])
      return code > 0 && classify({ code, text: words }).slower
    },
  }
}

export function answerOf(sent: Sent): Answer {
  if (sent.result === 'accepted') {
    return { ...sent, code: /^\d{3}/.exec(sent.words)?.[0] ?? null }
  }
  if (sent.result !== 'refused') return sent
  const { kind, final, slower, status } = classify({ code: sent.code, text: sent.words })
  const { words } = sent
  return { result: 'refused', final, kind, slower, code: status ?? String(sent.code), words }
}
