/** The pending requests of a link, and their responses. */
import { answerBit, command, type Pdu } from './pdu.ts'

/** The outcome of a request. */
export type PduOutcome =
  | { result: 'answered'; status: number; body: Buffer }
  /** The request was never sent over the link. */
  | { result: 'untouched'; fault: string }
  /** The request was sent, and no response came. */
  | { result: 'unclear'; fault: string }

export interface Answers {
  expect(number: number): { sequence: number; heard: Promise<PduOutcome> }
  /** Ignores a response that no request waits for, or that belongs to another command. */
  heard(pdu: Pdu): void
  /** The link is lost: the outcome of pending requests is unclear. */
  lose(): void
  /** Resolves when no request is pending. */
  settled(): Promise<void>
}

interface Pending {
  number: number
  timer: NodeJS.Timeout
  promise: Promise<PduOutcome>
  resolve(heard: PduOutcome): void
}

/** Section 3.2: numbers start at 1 and never set the highest bit. */
const lastSequence = 0x7fff_ffff

export function createAnswers(ms: number): Answers {
  const pending = new Map<number, Pending>()
  let last = 0
  const settle = (sequence: number, heard: PduOutcome): void => {
    const found = pending.get(sequence)
    if (!found) return
    pending.delete(sequence)
    clearTimeout(found.timer)
    found.resolve(heard)
  }
  return {
    expect(number) {
      last = last === lastSequence ? 1 : last + 1
      const sequence = last
      const { promise, resolve } = Promise.withResolvers<PduOutcome>()
      const late = () => settle(sequence, { result: 'unclear', fault: 'the SMSC took too long' })
      pending.set(sequence, { number, resolve, promise, timer: setTimeout(late, ms) })
      return { sequence, heard: promise }
    },
    heard({ command: number, status, sequence, body }) {
      const asked = pending.get(sequence)?.number
      if (asked === undefined) return
      if (number !== command.genericNack && number !== (asked | answerBit) >>> 0) return
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
