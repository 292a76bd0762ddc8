/** A suppression: an address that a business does not write to. */
import type { Channel } from '../model/contact.ts'

/** Why; an erased person's addresses are moreover refused as contacts. `stop`: texted by the person;
 * `unsubscribed`: elsewhere, as an imported list says. */
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
