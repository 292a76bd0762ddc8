/**
 * A way that messages of one channel take. The sending of a chunk (`deliver.ts`) knows
 * carriers alone: what a mail or a text is made of, and what its connection says, is theirs.
 */
import type { Refusal } from '../../core/errors.ts'
import type { BounceKind } from '../../lib/email/reply-words.ts'
import type { Turn } from '../../lib/transport/connection-priority.ts'
import type { Unreachable } from '../../lib/transport/unreachable.ts'
import type { Message } from '../model/message.ts'

/** What the next hop made of a message. */
export type Answer =
  /** It has taken it. `takenAs`: what its receipts will call it. */
  | { result: 'accepted'; code: string | null; words: string; takenAs?: string; segments?: number }
  /** It said no, now or for good. `slower`: it asks for less. */
  | {
      result: 'refused'
      final: boolean
      kind: BounceKind
      slower: boolean
      code: string
      words: string
    }
  /** The connection was lost before the content: nobody has taken it. */
  | { result: 'untouched'; fault: string }
  /** The connection was lost after that: the next hop may have taken it or not. */
  | { result: 'unclear'; fault: string }

/** A message that is ready to go. */
export interface PreparedMessage {
  /** Whose it is, for those who count: the domain a mail is from, the number a text is from. */
  sender: string
  /** Until when it must wait for the sake of whom it goes to; undefined for not at all. */
  waitsUntil?(now: Date): Date | undefined
  /** Holds a connection while `work` runs; throws Unreachable where none can be had. */
  over<T>(turn: Turn, work: (send: () => Promise<Answer>) => Promise<T>): Promise<T>
}

export interface Carrier {
  /** Where it leads, such as `relay.example:587`. */
  readonly route: string
  /** Messages on their way at once. */
  readonly connections: number
  /** A refusal means that it cannot be sent as it is, however often it is tried. */
  prepare(message: Message, now: Date): Promise<PreparedMessage | Refusal>
  /** Whether the next hop, where no connection could be had, asked for less by that. */
  asksForLess(error: Unreachable): boolean
}
