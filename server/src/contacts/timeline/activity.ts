/**
 * The timeline of contacts, which filters on behaviour read too. Other domains record here what a
 * contact did, in the transaction in which it happened.
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
  /** The type of the corresponding event, such as `form.submitted`. */
  type: string
  /** Ids and words of Crier's own, never a stranger's text: the timeline shows them as trusted. */
  details: Record<string, unknown>
  /** The call that caused it; absent if no connection did, as with a public form. */
  origin?: Origin | undefined
  /**
   * What the activity was about; the timeline shows its message, campaign and machine among the
   * details.
   */
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
  const rows = activity.map((entry) => ({ ...rowOf(entry), ...nothing, ...entry.subject }))
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

/** The hash by which a click's link is found; sixteen bytes are enough within one business. */
export const linkHashOf = (url: string): Buffer => sha256(url).subarray(0, 16)

/** The details of an activity as the timeline shows them. */
export function detailsOf({ details, messageId, campaignId, machine }: Activity) {
  return {
    ...(messageId && { message_id: formatId('message', messageId) }),
    ...(campaignId && { campaign_id: formatId('campaign', campaignId) }),
    ...(machine && { machine }),
    ...details,
  }
}
