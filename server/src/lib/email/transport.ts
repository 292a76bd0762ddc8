/**
 * The way a built message takes out of this machine: a number of connections, each of which
 * carries one message at a time. What is asked of a connection tells exactly how far the message
 * got, since that decides whether it may be sent again.
 */

import type { Id } from '../text/uuid.ts'
import type { Turn } from '../transport/connection-priority.ts'

export interface Envelope {
  /** Where failures are reported to (RFC 5321 section 2.3.1). */
  from: string
  /** One address, as SMTP takes it. */
  to: string
  /** The message of a business that this is; sign-in mail is none. */
  messageId?: Id<'message'>
}

/** What became of a message on a connection. */
export type Sent =
  /** The next hop has taken it: `words` is its reply, such as `250 2.0.0 Ok: queued as 4A1`. */
  | { result: 'accepted'; words: string }
  /** The next hop said no, now (4xx) or for good (5xx). */
  | { result: 'refused'; code: number; words: string }
  /** The connection was lost before the content: nobody has taken it. */
  | { result: 'untouched'; fault: string }
  /** The connection was lost after that: the next hop may have taken it or not. */
  | { result: 'unclear'; fault: string }

export interface MailConnection {
  /** A message as `message.ts` builds it: each line break of it is CRLF. */
  send(envelope: Envelope, message: Buffer): Promise<Sent>
}

export interface Transport {
  /** Where it leads, such as `relay.example:587`. */
  readonly route: string
  /** Messages on their way at once, urgent ones aside. */
  readonly connections: number
  /** Messages a second at most, of each sender domain; undefined for no limit. */
  readonly rate: number | undefined
  /** Whether mailboxes stand behind it, to which a new sender is a stranger. */
  readonly warmUp: boolean
  /** Runs `work` with a connection of its own; throws Unreachable where none can be had. */
  use<T>(turn: Turn, work: (connection: MailConnection) => Promise<T>): Promise<T>
  close(): Promise<void>
}
