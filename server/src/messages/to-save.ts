/** Messages to be saved, and the result of saving them. */

import type { Channel } from '../contacts/contact.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac, Origin, Tier } from '../core/operation.ts'
import type { Condition } from '../templates/variables.ts'
import type { ConnectionLimit } from '../usage/connection-limit.ts'
import type { Labels } from './labels.ts'
import type { Content, MessageKind, MessageState } from './message.ts'

/** The words of a message, before they are filled in. */
export interface Words {
  subject: string | null
  html: string | null
  text: string | null
}

interface SentTemplate {
  id: Id<'template'>
  versionId: string
  /** Whether a person marked it: any number of people may get its transactional messages. */
  isTransactional?: boolean
  /** The filters of its blocks, which are judged for its recipient when the message is saved. */
  conditions?: readonly Condition[]
  /** As it was written, in its first language. */
  words?: Words
}

export interface MessageToSave {
  /** Set if the id was needed before the message is saved. */
  id?: Id<'message'>
  businessId: Id<'business'>
  channel: Channel
  tier: Tier
  origin: Origin
  /** Set if the connection that sends the message has a limit. */
  connectionLimit?: ConnectionLimit | undefined
  hmac: Hmac
  kind: MessageKind
  /** The topic of marketing, which the person may opt out of. Absent or null if it has none. */
  topic?: string | null
  /**
   * Whether the sender is a person who may approve. That is enough unless the business requires two
   * people.
   */
  byApprover?: boolean
  /** Whether a person approved what sends it, so that it does not count against the limit. */
  isApproved?: boolean
  contactId: Id<'contact'> | undefined
  /** The normalised address, if no contact is named. */
  to: string | undefined
  template: SentTemplate | undefined
  content: Content
  /**
   * The content of the call, if `content` was rendered from it. A repeated call is recognised by
   * it.
   */
  request?: Content
  /** The cost in the tier: 1 for a mail, the number of segments for a text. */
  units: number
  sendAt: Date | undefined
  allowDuplicate: boolean
  labels?: Labels | null
  /** The message that this one copies as a cc or bcc. */
  copyOf?: Id<'message'>
}

export interface SavedMessage {
  id: Id<'message'>
  state: MessageState
  /** Whether the same message was queued before. This call then queued nothing. */
  duplicate: boolean
}
