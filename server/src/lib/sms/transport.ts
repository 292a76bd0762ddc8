/**
 * A transport for texts, and a way to receive their receipts and replies. It resembles the
 * transport of mail: the result tells exactly how far the text got, since that decides whether it
 * may be sent again.
 */

import type { Id } from '../text/uuid.ts'
import type { Turn } from '../transport/connection-priority.ts'

export interface Text {
  /** A number in E.164, a short code or a name; undefined where the provider chooses. */
  from: string | undefined
  /** E.164. */
  to: string
  body: string
  /** The id of a business's message; absent for an operator's test. */
  messageId?: Id<'message'>
}

/** The result of sending a text over a connection. */
export type SmsSent =
  /**
   * The provider has accepted it. `providerId` is the id in its receipts: for a long text in
   * several parts, the id of the last. `segments` is the provider's count, if it reports one.
   */
  | { result: 'accepted'; providerId: string; segments?: number; words: string }
  /** The provider refused the text. */
  | SmsRefused
  /** The connection was lost before any of the text was sent: nobody has it. */
  | { result: 'untouched'; fault: string }
  /** The connection was lost later, or no response came in time: the provider may have the text. */
  | { result: 'unclear'; fault: string }

export interface SmsRefused {
  result: 'refused'
  /** Whether the same text would be refused again. */
  final: boolean
  kind: RefusalKind
  /** Whether the provider asks for fewer texts per second. */
  slower?: boolean
  /** The provider's own code: `21610`, `0x0000000b`, `403`. */
  code: string
  words: string
}

/**
 * `hard`: the number accepts no texts. `stopped`: the person texted STOP to the provider, which
 * blocks the number for this sender. `policy`: the provider accepts no texts from this sender or of
 * this kind. `soft`: a retry may succeed. `unknown`: the provider does not say.
 */
export type RefusalKind = 'hard' | 'stopped' | 'policy' | 'soft' | 'unknown'

export interface SmsConnection {
  send(text: Text): Promise<SmsSent>
}

export interface SmsTransport {
  /** The destination, such as `smpp:smsc.example:2775`, which distinguishes provider ids. */
  readonly route: string
  /** The most simultaneous texts. */
  readonly connections: number
  /** The most texts per second for each sender; undefined for no limit. */
  readonly rate: number | undefined
  /**
   * Keeps a link open from now on, so that the listener gets its events, if the provider sends them
   * over our own link. Only the process that sends needs this.
   */
  listen(): void
  /** Runs `work` with its own connection; throws Unreachable where no connection can be opened. */
  use<T>(turn: Turn, work: (connection: SmsConnection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A provider's later report on a text that it had accepted. */
export interface SmsReceipt {
  providerId: string
  /** `accepted`: still on its way. */
  state: 'delivered' | 'failed' | 'expired' | 'rejected' | 'accepted'
  /** Whether no further report will follow. */
  final: boolean
  code?: string
  words?: string
  at: Date
  /** Equal for the same receipt, however often it comes. */
  identity: string
}

/** A text that a person sent to us. */
export interface InboundText {
  /** E.164. */
  from: string
  to: string
  body: string
  /** Equal for the same text, however often it comes. */
  providerId: string
  at: Date
  /** The provider's own judgement: it applied that keyword, and blocks or unblocks the number. */
  keyword?: 'stop' | 'start' | 'help'
  /** Only for a part; each of the other parts arrives separately. */
  partPlace?: PartPlace
}

/** The place of a part in a text that comes in several. */
export interface PartPlace {
  reference: number
  total: number
  part: number
}

/**
 * Receives the messages that come over a transport's own link (only SMPP has one; the other
 * providers call our endpoints). Where a method resolves, the provider gets an acknowledgement.
 * Where it rejects, the provider is asked to deliver the message again.
 */
export interface SmsListener {
  receipt(receipt: SmsReceipt): Promise<void>
  inbound(text: InboundText): Promise<void>
}
