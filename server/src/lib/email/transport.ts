/**
 * A transport for built messages: a number of connections, each of which carries one message at a
 * time. The result tells exactly how far the message got, since that decides whether it may be
 * sent again.
 */

import type { Id } from '../text/uuid.ts'
import type { Turn } from '../transport/connection-priority.ts'

export interface Envelope {
  /** The address that failures are reported to (RFC 5321 section 2.3.1). */
  from: string
  /** One address, in the form that SMTP accepts. */
  to: string
  /** The id of the business's message; absent for sign-in mail. */
  messageId?: Id<'message'>
  /** Set if whoever has the returns address awaits a notification of success too (RFC 3461). */
  receiptOf?: 'transactional' | 'marketing'
}

/** The result of sending a message over a connection. */
export type SendResult =
  /** The next hop accepted it: `words` is its reply, such as `250 2.0.0 Ok: queued as 4A1`. */
  | { result: 'accepted'; words: string }
  /**
   * The next hop refused it, temporarily (4xx) or permanently (5xx). `before`: it refused the sender
   * or the recipient, so that it got nothing of the content.
   */
  | { result: 'refused'; code: number; words: string; before?: 'sender' | 'recipient' }
  /** The connection was lost before the content: nobody has the message. */
  | { result: 'untouched'; fault: string }
  /** The connection was lost after the content began: the next hop may have the message or not. */
  | { result: 'unclear'; fault: string }

export interface MailConnection {
  /** A message as `message.ts` builds it: every line break is CRLF. */
  send(envelope: Envelope, message: Buffer): Promise<SendResult>
}

export interface Transport {
  /** The destination, such as `relay.example:587`. */
  readonly route: string
  /** Simultaneous messages, not counting urgent ones. */
  readonly connections: number
  /** The most messages per second for each sender domain; undefined for no limit. */
  readonly rate: number | undefined
  /** Whether it leads to real mailboxes, whose providers do not know a new sender yet. */
  readonly warmUp: boolean
  /** Runs `work` with its own connection; throws Unreachable where no connection can be opened. */
  use<T>(turn: Turn, work: (connection: MailConnection) => Promise<T>): Promise<T>
  close(): Promise<void>
}
