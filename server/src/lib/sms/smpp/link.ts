/**
 * One bound link to an SMSC: requests with their responses, checks whether the remote server is
 * still there, and the messages that it delivers.
 */
import type { Socket } from 'node:net'
import { seconds } from '../../time/clock.ts'
import {
  answerBit,
  BadPdu,
  BrokenStream,
  command,
  createPduReader,
  encodePdu,
  type Pdu,
} from './pdu.ts'
import { status } from './status.ts'

export interface Deadlines {
  /** Milliseconds to connect, and again to bind. */
  openMs: number
  /** Milliseconds to wait for the response to a request. */
  answerMs: number
  /** Milliseconds between two checks whether the remote server is there. */
  idleMs: number
}

export const deadlinesOf = (silenceMs: number): Deadlines => ({
  openMs: Math.min(silenceMs, seconds(15)),
  answerMs: silenceMs,
  idleMs: seconds(30),
})

export interface Link {
  /** False once no further request can be sent. */
  readonly open: boolean
  /** Resolves when the link has ended, for whatever reason. */
  readonly ended: Promise<void>
  ask(number: number, body: Buffer): Promise<PduOutcome>
  /** Waits for pending requests, unbinds, and ends the link. */
  close(): Promise<void>
}

/** Handles each `deliver_sm`. The answer is success, or `laterPlease` where it rejects. */
export type Hear = (body: Buffer) => Promise<void>

const noBody = Buffer.alloc(0)
/** With this many unanswered frames no more is read, except those that came with the last one. */
const mostInHand = 200
/** Milliseconds for the response to our unbind. */
const goodbyeMs = seconds(2)

export function createLink(socket: Socket, deadlines: Deadlines, hear: Hear): Link {
  const reader = createPduReader()
  const answers = createAnswers(deadlines.answerMs)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let open = true
  let inHand = 0

  const write = (pdu: Pdu): void => {
    if (!socket.writable) return
    // All frames written in one turn of the event loop are sent together.
    if (socket.writableCorked === 0) {
      socket.cork()
      setImmediate(() => socket.uncork())
    }
    socket.write(encodePdu(pdu))
  }
  const answer = ({ command: number, sequence }: Pdu, code: number, body: Buffer): void =>
    write({ command: (number | answerBit) >>> 0, status: code, sequence, body })
  const reject = ({ sequence }: Pdu, code: number): void =>
    write({ command: command.genericNack, status: code, sequence, body: noBody })

  const listen = async (pdu: Pdu): Promise<void> => {
    if (++inHand >= mostInHand) socket.pause()
    const code = await hear(pdu.body).then(
      () => status.fine,
      (error: unknown) => (error instanceof BadPdu ? error.status : status.laterPlease),
    )
    answer(pdu, code, Buffer.from([0]))
    if (--inHand < mostInHand && socket.isPaused()) socket.resume()
  }
  const take = (pdu: Pdu): void => {
    if (pdu.command >= answerBit) answers.handleResponse(pdu)
    else if (pdu.command === command.deliverSm) void listen(pdu)
    else if (pdu.command === command.enquireLink) answer(pdu, status.fine, noBody)
    else if (pdu.command === command.unbind) {
      open = false
      answer(pdu, status.fine, noBody)
      socket.end()
    } else if (pdu.command !== command.alertNotification) reject(pdu, status.unknownCommand)
  }
  const ask = (number: number, body: Buffer): Promise<PduOutcome> => {
    if (!open || !socket.writable) {
      return Promise.resolve({ result: 'untouched', fault: 'the link to the SMSC is down' })
    }
    const { sequence, outcome } = answers.expect(number)
    write({ command: number, status: 0, sequence, body })
    return outcome
  }
  // Repeated, because a remote server that vanishes without a word leaves no other trace.
  const asking = setInterval(() => {
    void ask(command.enquireLink, noBody).then(({ result }) => {
      if (result === 'unclear') socket.destroy()
    })
  }, deadlines.idleMs).unref()

  socket.on('data', (chunk) => {
    try {
      for (const pdu of reader.read(chunk)) take(pdu)
    } catch (error) {
      if (!(error instanceof BrokenStream)) throw error
      for (const pdu of error.before) take(pdu)
      // The start of the next frame is unknown, so only a new link helps.
      reject({ command: 0, status: 0, sequence: 0, body: noBody }, status.badLength)
      socket.destroySoon()
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    open = false
    clearInterval(asking)
    answers.lose()
    end()
  })
  return {
    get open() {
      return open && socket.writable
    },
    ended,
    ask,
    async close() {
      await answers.settled()
      const late = setTimeout(() => socket.destroy(), goodbyeMs)
      const goodbye = ask(command.unbind, noBody)
      open = false
      await goodbye
      socket.destroySoon()
      await ended
      clearTimeout(late)
    },
  }
}

/** The outcome of a request. */
type PduOutcome =
  | { result: 'answered'; status: number; body: Buffer }
  /** The request was never sent over the link. */
  | { result: 'untouched'; fault: string }
  /** The request was sent, and no response came. */
  | { result: 'unclear'; fault: string }

interface Answers {
  expect(number: number): { sequence: number; outcome: Promise<PduOutcome> }
  /** Ignores a response that no request waits for, or that belongs to another command. */
  handleResponse(pdu: Pdu): void
  /** The link is lost: the outcome of pending requests is unclear. */
  lose(): void
  /** Resolves when no request is pending. */
  settled(): Promise<void>
}

interface Pending {
  number: number
  timer: NodeJS.Timeout
  promise: Promise<PduOutcome>
  resolve(outcome: PduOutcome): void
}

/** Section 3.2: numbers start at 1 and never set the highest bit. */
const lastSequence = 0x7fff_ffff

function createAnswers(ms: number): Answers {
  const pending = new Map<number, Pending>()
  let last = 0
  const settle = (sequence: number, outcome: PduOutcome): void => {
    const waiter = pending.get(sequence)
    if (!waiter) return
    pending.delete(sequence)
    clearTimeout(waiter.timer)
    waiter.resolve(outcome)
  }
  return {
    expect(number) {
      last = last === lastSequence ? 1 : last + 1
      const sequence = last
      const { promise, resolve } = Promise.withResolvers<PduOutcome>()
      const late = () => settle(sequence, { result: 'unclear', fault: 'the SMSC took too long' })
      pending.set(sequence, { number, resolve, promise, timer: setTimeout(late, ms) })
      return { sequence, outcome: promise }
    },
    handleResponse({ command: number, status, sequence, body }) {
      const requestNumber = pending.get(sequence)?.number
      if (requestNumber === undefined) return
      if (number !== command.genericNack && number !== (requestNumber | answerBit) >>> 0) return
      // The frame itself was refused. A status of 0 would turn that into a success.
      const refused = number === command.genericNack && status === 0
      settle(sequence, { result: 'answered', status: refused ? 0xff : status, body })
    },
    lose() {
      const fault = 'the link to the SMSC broke'
      for (const sequence of pending.keys()) settle(sequence, { result: 'unclear', fault })
    },
    async settled() {
      await Promise.all(Array.from(pending.values(), ({ promise }) => promise))
    },
  }
}
