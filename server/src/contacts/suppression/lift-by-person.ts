/**
 * Lifts what a person themself takes back. What a business or an erasure put on the list is not
 * theirs to lift this way, except where a caller names it.
 */
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Channel } from '../model/contact.ts'
import { deleteHashed } from './hashed-queries.ts'
import type { SuppressionReason } from './suppression.ts'
import { forgetFailures } from './suppression-list-queries.ts'
import { deleteSuppressions } from './suppression-queries.ts'
import { markOf, sha256Of } from './suppressions.ts'

/** Whoever pressed the button of a mail to the address: it works, and they want mail again. */
export const liftedByConfirming: readonly SuppressionReason[] = [
  'unsubscribed',
  'complaint',
  'bounce',
]

/** Whoever subscribes again on the preference page: the link may be old, so a bounce stays. */
export const liftedByChoosing: readonly SuppressionReason[] = ['unsubscribed']

/** Whoever texts can be reached, so failed deliveries no longer count. */
export const liftedByTexting: readonly SuppressionReason[] = ['stop', 'bounce', 'unsubscribed']

interface ToLift {
  businessId: Id<'business'>
  channel: Channel
  /** The normalised address. */
  address: string
  reasons: readonly SuppressionReason[]
}

/** Gives whether the address had been suppressed for one of the reasons. */
export async function liftByPerson(
  tx: Tx,
  hmac: Hmac,
  { businessId, channel, address, reasons }: ToLift,
): Promise<boolean> {
  const mark = markOf(hmac, businessId, address)
  const lifted = await deleteSuppressions(tx, businessId, { channel, mark, reasons })
  const hashed = { mark, sha256: sha256Of(address), reasons }
  const unhashed = await deleteHashed(tx, businessId, hashed)
  if (reasons.includes('bounce')) await forgetFailures(tx, businessId, mark)
  return lifted + unhashed > 0
}
