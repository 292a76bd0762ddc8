/** A suppression: an address that a business does not write to. */
import type { Channel } from '../model/contact.ts'

/**
 * The reason. An erased person's addresses are also refused as contacts. `stop`: texted by the
 * person; `unsubscribed`: from an imported list or a deleted contact.
 */
export type SuppressionReason =
  | 'erased'
  | 'complaint'
  | 'bounce'
  | 'manual'
  | 'stop'
  | 'unsubscribed'

export interface Suppression {
  channel: Channel
  reason: SuppressionReason
  source: string
  createdAt: Date
}

/** What a suppression was before an import made it stricter. */
export interface FormerSuppression {
  reason: SuppressionReason
  source: string
  at: Date
}
