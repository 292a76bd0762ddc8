/** Texts over SMPP 3.4: one link of this process, with a window. */

import { randomInt, randomUUID } from 'node:crypto'
import { connect as connectTcp, type Socket } from 'node:net'
import { createQueues } from '../../concurrency/queues.ts'
import type { Log } from '../../process/log.ts'
import { type Clock, seconds } from '../../time/clock.ts'
import { createConnectionPriority } from '../../transport/connection-priority.ts'
import { Unreachable } from '../../transport/unreachable.ts'
import { sendInParts, type TextPart } from '../in-parts.ts'
import { composeText, segmentsOf } from '../segments.ts'
import { routeOf, type SmsOptions } from '../sms-url.ts'
import type { SmsConnection, SmsListener, SmsSent, SmsTransport, Text } from '../transport.ts'
import { bindRefused, encodeBind } from './bind.ts'
import { decodeDeliver, type ReceivedPart } from './deliver.ts'
import { createLink, type Deadlines, deadlinesOf, type Hear, type Link } from './link.ts'
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
    const { from, to, body, partPlace } = text
    // A text from a name or a short number is not a person's.
    if (!from.startsWith('+')) return Promise.resolve()
    const common = { from, to, body, providerId: randomUUID(), at: clock.now() }
    return senders.take(from, () =>
      listener.inbound({ ...common, ...(partPlace && { partPlace }) }),
    )
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
    const response = await link.ask(command.submitSm, body)
    if (response.result !== 'answered') return response
    if (response.status !== status.fine) return refusalOf(response.status)
    return accepted(response.body)
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

interface LinkKeeper {
  /** The open link, or a new one; throws Unreachable. */
  get(): Promise<Link>
  /** The open link. */
  readonly link: Link | undefined
  /** Keeps a link open from now on, so that messages from the SMSC are received. */
  keep(): void
  close(): Promise<void>
}

interface KeeperDeps {
  options: SmsOptions
  deadlines: Deadlines
  log: Log
  hear: Hear
  trust: Trust
  /** Milliseconds to wait after each failure in a row; the last applies to all that follow. */
  pauses: readonly number[]
}

/** Keeps the link of this process: opens it when it is needed, and again when it is lost. */
function createLinkKeeper(deps: KeeperDeps): LinkKeeper {
  const { options, deadlines, log, hear, trust, pauses } = deps
  let link: Link | undefined
  let opening: Promise<Link> | undefined
  let failures = 0
  let lastFailure: { fault: Unreachable; until: number } | undefined
  let keeping: NodeJS.Timeout | undefined
  let staysOpen = false
  let closed = false

  const open = async (): Promise<Link> => {
    const socket = await connect(options, deadlines.openMs, trust)
    const fresh = createLink(socket, deadlines, hear)
    const late = setTimeout(() => socket.destroy(), deadlines.openMs)
    const bound = await fresh.ask(command.bindTransceiver, encodeBind(options))
    clearTimeout(late)
    if (bound.result === 'answered' && bound.status === 0) return fresh
    socket.destroy()
    if (bound.result === 'answered') throw bindRefused(bound.status)
    throw new Unreachable('EBIND', 'the SMSC does not answer when we bind')
  }
  const opened = async (): Promise<Link> => {
    try {
      link = await open()
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      const pause = pauses[Math.min(failures++, pauses.length - 1)] ?? 0
      lastFailure = { fault: error, until: performance.now() + pause }
      log.error({ code: error.code, words: error.words }, 'sms_link_refused')
      again(pause)
      throw error
    }
    failures = 0
    lastFailure = undefined
    log.info('sms_link_bound')
    void link.ended.then(() => {
      link = undefined
      if (closed) return
      log.warn('sms_link_lost')
      again(pauses[0] ?? 0)
    })
    return link
  }
  const again = (pause: number): void => {
    if (!staysOpen || closed) return
    clearTimeout(keeping)
    const tryAgain = () => {
      // The pause is over, even if the timer fires slightly early.
      lastFailure = undefined
      get().catch(() => {})
    }
    keeping = setTimeout(tryAgain, pause).unref()
  }
  const get = async (): Promise<Link> => {
    if (link?.open) return link
    if (closed) throw new Unreachable('ECLOSED')
    // A caller during the pause after a failure gets the SMSC's last error.
    if (lastFailure && performance.now() < lastFailure.until) throw lastFailure.fault
    opening ??= opened().finally(() => {
      opening = undefined
    })
    return opening
  }
  return {
    get,
    get link() {
      return link?.open ? link : undefined
    },
    keep() {
      staysOpen = true
      again(0)
    },
    async close() {
      closed = true
      clearTimeout(keeping)
      await opening?.catch(() => {})
      await link?.close()
    },
  }
}

interface Trust {
  /** Certificates to trust instead of the system's, for tests. */
  ca?: string
}

/** Opens the TCP or TLS connection below a link. */
async function connect(
  { host, port, secure }: Pick<SmsOptions, 'host' | 'port' | 'secure'>,
  ms: number,
  trust: Trust,
): Promise<Socket> {
  const tls = secure ? await import('node:tls') : undefined
  return new Promise((resolve, reject) => {
    const socket = tls
      ? tls.connect({ host, port, servername: nameOf(host), ...trust })
      : connectTcp({ host, port })
    socket.setNoDelay(true)
    const late = setTimeout(() => fail({ code: 'ETIMEDOUT' }), ms)
    const fail = ({ code = 'ESOCKET' }: { code?: string }) => {
      clearTimeout(late)
      socket.destroy()
      reject(new Unreachable(code, `the SMSC cannot be reached (${code})`))
    }
    socket.once('error', fail)
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(late)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}

/** A certificate cannot be requested for an IP address by SNI. */
function nameOf(host: string): string {
  return /^[\d.]+$|:/.test(host) ? '' : host
}
