/**
 * The way a text takes out of this machine, and the way back of what is heard of it. Shaped
 * like the transport of mail: what a connection tells says exactly how far the text got, since that
 * decides whether it may be sent again.
 */

import type { Id } from '../text/uuid.ts'
import type { Turn } from '../transport/connection-priority.ts'

export interface Text {
  /** A number in E.164, a short code or a name; undefined where the provider chooses. */
  from: string | undefined
  /** E.164. */
  to: string
  body: string
  /** The message of a business that this is; a test of the operator's is none. */
  messageId?: Id<'message'>
}

/** What became of a text on a connection. */
export type SmsSent =
  /**
   * The provider has taken it. `providerId` is what its receipts will name: of a long text
   * that went as several, the id of the last; `segments` as the provider counts, where it does.
   */
  | { result: 'accepted'; providerId: string; segments?: number; words: string }
  /** The provider said no. */
  | SmsRefused
  /** The connection was lost before anything of the text was on it: nobody has it. */
  | { result: 'untouched'; fault: string }
  /** It was lost after that, or no answer came in time: the provider may have it or not. */
  | { result: 'unclear'; fault: string }

export interface SmsRefused {
  result: 'refused'
  /** Whether the same text would be refused again. */
  final: boolean
  kind: RefusalKind
  /** The provider asks for fewer a second. */
  slower?: boolean
  /** As the provider has it: `21610`, `0x0000000b`, `403`. */
  code: string
  words: string
}

/**
 * `hard`: the number takes no texts. `policy`: the provider takes none from this sender or of
 * this kind. `soft`: it may go later. `unknown`: it does not say.
 */
export type RefusalKind = 'hard' | 'policy' | 'soft' | 'unknown'

export interface SmsConnection {
  send(text: Text): Promise<SmsSent>
}

export interface SmsTransport {
  /** Where it leads, such as `smpp:smsc.example:2775`; provider ids are told apart by it. */
  readonly route: string
  /** Texts on their way at once. */
  readonly connections: number
  /** Texts a second at most, of each sender; undefined for no limit. */
  readonly rate: number | undefined
  /**
   * Keeps a link from now on over which the listener hears, where a provider brings news over
   * a link of ours. For the process that sends; others need none.
   */
  listen(): void
  /** Runs `work` with a connection of its own; throws Unreachable where none can be had. */
  use<T>(turn: Turn, work: (connection: SmsConnection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** What a provider says later of a text that it had taken. */
export interface SmsReceipt {
  providerId: string
  /** `accepted`: on its way still. */
  state: 'delivered' | 'failed' | 'expired' | 'rejected' | 'accepted'
  /** Whether nothing else will be said of it. */
  final: boolean
  code?: string
  words?: string
  at: Date
  /** The same for the same receipt, however often it comes. */
  identity: string
}

/** A text that a person sent to us. */
export interface InboundText {
  /** E.164. */
  from: string
  to: string
  body: string
  /** The same for the same text, however often it comes. */
  providerId: string
  at: Date
  /** Of a part alone: the others come by themselves. */
  place?: PartPlace
}

/** Where a part stands in a text that comes in several. */
export interface PartPlace {
  reference: number
  total: number
  part: number
}

/**
 * Who hears what comes in over a transport's own link (SMPP alone has one; the others call our
 * endpoints). Once it resolves the provider is told that it was taken; where it rejects the
 * provider is told to bring it again.
 */
export interface SmsListener {
  receipt(receipt: SmsReceipt): Promise<void>
  inbound(text: InboundText): Promise<void>
}
