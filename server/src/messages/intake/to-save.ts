/** Messages to be saved, and the result of saving them. */

import type { Channel } from '../../contacts/model/contact.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac, Origin, Tier } from '../../core/operation.ts'
import type { KeyLimit } from '../../usage/key-limit.ts'
import type { Labels } from '../model/labels.ts'
import type { Content, MessageKind, MessageState } from '../model/message.ts'

export interface MessageToSave {
  /** Set where the id was needed before the message is saved. */
  id?: Id<'message'>
  businessId: Id<'business'>
  channel: Channel
  tier: Tier
  origin: Origin
  /** Where an API key orders it. */
  key?: KeyLimit | undefined
  hmac: Hmac
  kind: MessageKind
  /** The topic of marketing, which the person may leave alone; absent or null for none. */
  topic?: string | null
  /**
   * Whether a person sends it who may approve, which is enough unless the business requires two
   * people.
   */
  byApprover?: boolean
  contactId: Id<'contact'> | undefined
  /** The normalised address, where no contact is named. */
  to: string | undefined
  template: { id: Id<'template'>; versionId: string } | undefined
  content: Content
  /**
   * What the call said, where `content` was rendered from it; by this a repeated call is
   * recognised.
   */
  asked?: Content
  /** What it costs of the tier: 1 for a mail, the number of segments for a text. */
  units: number
  sendAt: Date | undefined
  allowDuplicate: boolean
  labels?: Labels | null
  /** The message that this one is a copy of: cc or bcc. */
  copyOf?: Id<'message'>
}

export interface SavedMessage {
  id: Id<'message'>
  state: MessageState
  /** Whether the same message was queued before; this call then queued nothing. */
  duplicate: boolean
}
