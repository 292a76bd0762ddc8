/**
 * Lifts suppressions that the person may undo themself. A suppression by the business or by an
 * erasure is not lifted this way, unless a caller names its reason.
 */
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import { deleteHashed } from './hashed-queries.ts'
import type { SuppressionReason } from './suppression.ts'
import { forgetFailures } from './suppression-list-queries.ts'
import { deleteSuppressions } from './suppression-queries.ts'
import { markOf, sha256Of } from './suppressions.ts'

/** By subscribing again on the preference page: the link may be old, so a bounce stays. */
export const liftedByChoosing: readonly SuppressionReason[] = ['unsubscribed']

/** By a text from the number: the person can be reached, so failed deliveries no longer count. */
export const liftedByTexting: readonly SuppressionReason[] = ['stop', 'bounce', 'unsubscribed']

interface ToLift {
  businessId: Id<'business'>
  channel: Channel
  /** The normalised address. */
  address: string
  reasons: readonly SuppressionReason[]
}

/** Returns whether the address was suppressed for one of the reasons. */
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
