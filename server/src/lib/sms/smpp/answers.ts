/** The requests of a link that are under way, and their answers. */
import { answerBit, command, type Pdu } from './pdu.ts'

/** What came of a request. */
export type PduOutcome =
  | { result: 'answered'; status: number; body: Buffer }
  /** It was never on the link. */
  | { result: 'untouched'; fault: string }
  /** It was, and no answer came. */
  | { result: 'unclear'; fault: string }

export interface Answers {
  expect(number: number): { sequence: number; heard: Promise<PduOutcome> }
  /** An answer that nobody waits for, or one to another command, is passed over. */
  heard(pdu: Pdu): void
  /** The link is gone: what is under way stays unclear. */
  lose(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

interface Pending {
  number: number
  timer: NodeJS.Timeout
  promise: Promise<PduOutcome>
  resolve(heard: PduOutcome): void
}

/** Section 3.2: from 1, and never with the highest bit. */
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
      // A refusal of the frame itself, which a status of 0 would turn into its opposite.
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
