/** What of messages is handed in to be saved, and what is told of those that were. */

import type { Channel } from '../../contacts/model/contact.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac, Origin, Tier } from '../../core/operation.ts'
import type { KeyLimit } from '../../usage/key-limit.ts'
import type { Content, MessageKind, MessageState } from '../model/message.ts'

export interface MessageToSave {
  /** Where it was needed before it is saved. */
  id?: Id<'message'>
  businessId: Id<'business'>
  channel: Channel
  tier: Tier
  origin: Origin
  /** Where an API key orders it. */
  key?: KeyLimit | undefined
  hmac: Hmac
  kind: MessageKind
  /** A person who may approve sends it; which is enough unless the business asks for two. */
  byApprover?: boolean
  contactId: Id<'contact'> | undefined
  /** Normalised; where no contact is named. */
  to: string | undefined
  template: { id: Id<'template'>; versionId: string } | undefined
  content: Content
  /** What the call said, where `content` was made of it: the same call is known again by it. */
  asked?: Content
  /** What it takes of the tier: 1 of a mail, its segments of a text. */
  units: number
  sendAt: Date | undefined
  allowDuplicate: boolean
}

export interface SavedMessage {
  id: Id<'message'>
  state: MessageState
  /** It was asked for before; this call queued nothing. */
  duplicate: boolean
}
