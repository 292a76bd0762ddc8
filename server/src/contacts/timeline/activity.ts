/**
 * The timeline of contacts, and what segments know of behaviour. Other domains write what
 * a contact did here, in the transaction in which it happened.
 */

import { type Id, newId, parseId } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { type ActivityRow, insertActivity } from './activity-queries.ts'

export interface NewActivity {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  /** Named as the event is: `form.submitted`. */
  type: string
  /** Ids and our own words, never a stranger's: the timeline shows them as ours. */
  details: Record<string, unknown>
  /** The call that caused it; absent where no connection did, as with a public form. */
  origin?: Origin | undefined
}

export async function recordActivity(tx: Tx, activity: NewActivity[], now: Date): Promise<void> {
  if (activity.length > 0) await insertActivity(tx, activity.map(rowOf), now)
}

export function rowOf(activity: NewActivity): ActivityRow {
  const { businessId, contactId, type, details, origin } = activity
  return {
    businessId,
    contactId,
    id: newId('activity'),
    type,
    details: JSON.stringify(details),
    connectionId: origin?.connectionId ?? null,
    callId: origin ? (parseId('request', origin.callId) ?? null) : null,
  }
}
