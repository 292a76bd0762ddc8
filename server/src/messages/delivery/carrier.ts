import type { BounceKind } from '../../lib/email/reply-words.ts'
import type { SenderRequirement } from '../../lib/email/sender-requirements.ts'
import type { Turn } from '../../lib/transport/connection-priority.ts'
import type { Unreachable } from '../../lib/transport/unreachable.ts'
import type { Message } from '../model/message.ts'
import type { Throttle } from '../throttle/throttle.ts'

/** The next hop's reply to a message. */
export type Answer =
  /** The next hop accepted the message. `takenAs` is the id that its receipts will use. */
  | { result: 'accepted'; code: string | null; words: string; takenAs?: string; segments?: number }
  /** The next hop refused it, temporarily or permanently. `slower`: it requests a lower rate. */
  | {
      result: 'refused'
      final: boolean
      /** `stopped`: the person sent STOP to the provider of texts. */
      kind: BounceKind | 'stopped'
      slower: boolean
      code: string
      words: string
      /** It refused this message for its size or form, and would take others of the sender. */
      isAboutMessage?: boolean
      /** What the sender lacks, so that the provider refuses all its mail until it has it. */
      missing?: readonly SenderRequirement[]
      /** Another next hop may take it: this one has none of its content. */
      isEarly?: boolean
    }
  /** The connection was lost before the content, so the next hop does not have the message. */
  | { result: 'untouched'; fault: string }
  /** The connection was lost after that, so the next hop may have the message or not. */
  | { result: 'unclear'; fault: string }

/** A message that is ready to be sent. */
export interface PreparedMessage {
  /** The key of throttling: the domain that a mail is from, or the number that a text is from. */
  sender: string
  /** The provider that receives it, by which throttling and results are told apart. */
  provider: string
  /** Until when the recipient requires it to be deferred. Undefined if it may be sent now. */
  waitsUntil?(now: Date): Date | undefined
  /** The ways to go, the preferred one first. The others serve where nothing can be sent twice. */
  hops: readonly Hop[]
}

/** A next hop, with its own limits. */
export interface Hop {
  /** The destination, such as `relay.example:587`. */
  readonly route: string
  readonly throttle: Throttle
  /** Holds a connection while `work` runs. Throws Unreachable if no connection can be opened. */
  over<T>(turn: Turn, work: (send: () => Promise<Answer>) => Promise<T>): Promise<T>
}

export interface Carrier {
  /** The provider to which a message of a campaign has to wait, with the time. */
  heldAt?(message: Message, now: Date): Promise<{ provider: string; until: Date } | undefined>
  /** The most messages in flight, over all hops. */
  readonly connections: number
  /** A refusal means that no attempt can send the message as it is. */
  prepare(message: Message, now: Date): Promise<PreparedMessage>
  /** Whether the next hop requested a lower rate by refusing a connection. */
  asksForLess(error: Unreachable): boolean
}
