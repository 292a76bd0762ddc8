/**
 * The timeline of contacts, and what filters know of behaviour. Other domains write what
 * a contact did here, in the transaction in which it happened.
 */

import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Tx } from '../../lib/db/types.ts'
import {
  type Activity,
  type ActivityRow,
  insertWithSubjects,
  type Subject,
} from './activity-queries.ts'

export interface NewActivity {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  /** Named as the event is: `form.submitted`. */
  type: string
  /** Ids and our own words, never a stranger's: the timeline shows them as ours. */
  details: Record<string, unknown>
  /** The call that caused it; absent where no connection did, as with a public form. */
  origin?: Origin | undefined
  /** What it was about; the timeline shows message, campaign and machine of it as details. */
  subject?: Partial<Subject>
}

const nothing: Subject = {
  messageId: null,
  campaignId: null,
  channel: null,
  formId: null,
  linkHash: null,
  machine: null,
}

export async function recordActivity(tx: Tx, activity: NewActivity[], now: Date): Promise<void> {
  if (activity.length === 0) return
  const rows = activity.map((one) => ({ ...rowOf(one), ...nothing, ...one.subject }))
  await insertWithSubjects(tx, rows, now)
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

/** By what a click's link is found: sixteen bytes are enough for those of one business. */
export const linkHashOf = (url: string): Buffer => sha256(url).subarray(0, 16)

/** What the timeline tells of an activity. */
export function detailsOf({ details, messageId, campaignId, machine }: Activity) {
  return {
    ...(messageId && { message_id: formatId('message', messageId) }),
    ...(campaignId && { campaign_id: formatId('campaign', campaignId) }),
    ...(machine && { machine }),
    ...details,
  }
}
