/**
 * A carrier sends the messages of one channel. Sending a chunk (`deliver.ts`) knows only carriers;
 * what a mail or a text consists of, and what its connection answers, is the carrier's business.
 */
import type { Refusal } from '../../core/errors.ts'
import type { BounceKind } from '../../lib/email/reply-words.ts'
import type { Turn } from '../../lib/transport/connection-priority.ts'
import type { Unreachable } from '../../lib/transport/unreachable.ts'
import type { Message } from '../model/message.ts'

/** The next hop's answer to a message. */
export type Answer =
  /** The next hop accepted it. `takenAs`: the id that its receipts will use. */
  | { result: 'accepted'; code: string | null; words: string; takenAs?: string; segments?: number }
  /** The next hop refused it, temporarily or permanently. `slower`: it asks for a lower rate. */
  | {
      result: 'refused'
      final: boolean
      kind: BounceKind
      slower: boolean
      code: string
      words: string
    }
  /** The connection was lost before the content: nobody has the message. */
  | { result: 'untouched'; fault: string }
  /** The connection was lost after that: the next hop may have the message or not. */
  | { result: 'unclear'; fault: string }

/** A message that is ready to be sent. */
export interface PreparedMessage {
  /**
   * What throttling counts by: the domain that a mail is from, or the number that a text is from.
   */
  sender: string
  /** Until when it must be deferred for the recipient's sake; undefined where it need not be. */
  waitsUntil?(now: Date): Date | undefined
  /** Holds a connection while `work` runs; throws Unreachable where none can be opened. */
  over<T>(turn: Turn, work: (send: () => Promise<Answer>) => Promise<T>): Promise<T>
}

export interface Carrier {
  /** The destination, such as `relay.example:587`. */
  readonly route: string
  /** The most messages in flight. */
  readonly connections: number
  /** A refusal means that the message cannot be sent as it is, however often it is tried. */
  prepare(message: Message, now: Date): Promise<PreparedMessage | Refusal>
  /** Whether the next hop, by refusing a connection, asked for a lower rate. */
  asksForLess(error: Unreachable): boolean
}
