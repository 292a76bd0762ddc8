/** A suppression: an address that a business does not write to. */
import type { Channel } from '../contact.ts'

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

/** Whether the person themself said that they want nothing, here or to a former service. */
export function isOwnNo(reason: SuppressionReason): boolean {
  return reason === 'unsubscribed' || reason === 'complaint' || reason === 'stop'
}

/**
 * What the button of a mail to the address lifts: the address works, and the person wants mail
 * again.
 */
export const liftedByConfirming: readonly SuppressionReason[] = [
  'unsubscribed',
  'complaint',
  'bounce',
]

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

/** The source of suppressions that an imported file put on the list. */
export const fileSource = 'import'

/** The source of those whose address was found among the hashes of a list. */
export const hashedSource = 'suppression.import'
