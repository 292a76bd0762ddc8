/** Texts over SMPP 3.4: one link of this process, with a window. */
import { randomInt, randomUUID } from 'node:crypto'
import { createQueues } from '../../concurrency/one-by-one.ts'
import type { Log } from '../../process/log.ts'
import { type Clock, seconds } from '../../time/clock.ts'
import { createConnectionPriority } from '../../transport/connection-priority.ts'
import { sendInParts, type TextPart } from '../in-parts.ts'
import { composeText, segmentsOf } from '../segments.ts'
import { routeOf, type SmsOptions } from '../sms-url.ts'
import type { SmsConnection, SmsListener, SmsSent, SmsTransport, Text } from '../transport.ts'
import type { Trust } from './connect.ts'
import { decodeDeliver, type ReceivedPart } from './deliver.ts'
import { type Deadlines, deadlinesOf } from './link.ts'
import { createLinkKeeper } from './link-keeper.ts'
import { BadPdu, command } from './pdu.ts'
import { nameId } from './provider-id.ts'
import { refusalOf, status } from './status.ts'
import { decodeSubmitAnswer, encodeSubmit } from './submit.ts'

export interface SmppDeps {
  clock: Clock
  log: Log
  listener: SmsListener
  trust?: Trust
  deadlines?: Deadlines
  /** Milliseconds between attempts to bind. */
  pauses?: readonly number[]
}

const defaultPauses = [1, 2, 5, 10, 30, 60].map(seconds)

export function createSmppTransport(options: SmsOptions, deps: SmppDeps): SmsTransport {
  const { clock, listener, log } = deps
  const turns = createConnectionPriority(
    Math.max(1, options.connections - 1),
    options.connections > 1 ? 1 : 0,
  )
  const senders = createQueues()
  const tell = (text: ReceivedPart): Promise<void> => {
    const { from, to, body, place } = text
    // A text from a name or a short number is not a person's.
    if (!from.startsWith('+')) return Promise.resolve()
    const heard = { from, to, body, providerId: randomUUID(), at: clock.now() }
    return senders.take(from, () => listener.inbound({ ...heard, ...(place && { place }) }))
  }
  const hear = async (body: Buffer): Promise<void> => {
    const delivered = decodeDeliver(body)
    if (delivered.kind === 'receipt') {
      const { providerId, state, final, code, words } = delivered
      const id = nameId(providerId, options.idBase, 'receipt')
      const more = code === undefined ? {} : { code }
      const identity = `${id}:${state}`
      return listener.receipt({
        providerId: id,
        state,
        final,
        words,
        identity,
        at: clock.now(),
        ...more,
      })
    }
    if (delivered.kind === 'text') await tell(delivered)
  }
  const keeper = createLinkKeeper({
    options,
    log,
    hear,
    deadlines: deps.deadlines ?? deadlinesOf(options.silenceMs),
    trust: deps.trust ?? {},
    pauses: deps.pauses ?? defaultPauses,
  })
  let texts = randomInt(0x100)
  const submit = async ({ from, to }: Text, part: TextPart): Promise<SmsSent> => {
    const { link } = keeper
    if (!link) return { result: 'untouched', fault: 'the link to the SMSC is down' }
    const { longTexts } = options
    const body = encodeSubmit({ from: from ?? options.from, to, part, longTexts })
    const heard = await link.ask(command.submitSm, body)
    if (heard.result !== 'answered') return heard
    if (heard.status !== status.fine) return refusalOf(heard.status)
    return accepted(heard.body)
  }
  const accepted = (body: Buffer): SmsSent => {
    try {
      const id = nameId(decodeSubmitAnswer(body), options.idBase, 'answer')
      if (id !== '') return { result: 'accepted', providerId: id, words: 'ESME_ROK' }
    } catch (error) {
      if (!(error instanceof BadPdu)) throw error
    }
    return { result: 'unclear', fault: 'the SMSC took the text without naming it' }
  }
  const sendWhole = async (text: Text): Promise<SmsSent> => {
    const body = composeText(text.body)
    const { encoding, segments } = segmentsOf(body)
    const sent = await submit(text, { body, encoding, header: undefined, last: true })
    return sent.result === 'accepted' ? { segments, ...sent } : sent
  }
  const connection: SmsConnection = {
    send: (text) =>
      options.longTexts === 'payload'
        ? sendWhole(text)
        : sendInParts(text.body, texts++, (part) => submit(text, part)),
  }
  return {
    route: routeOf(options),
    connections: options.connections,
    rate: options.rate,
    listen: () => keeper.keep(),
    use: (turn, work) =>
      turns.take(turn, async () => {
        await keeper.get()
        return work(connection)
      }),
    close: () => keeper.close(),
  }
}
