/** Orders an issue of a feed: a campaign whose content, audience and approval the feed decides. */
import type { Filter } from '../contacts/filters/filter.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import type { CheckedContent } from '../templates/owned.ts'
import { saveDraft } from './draft.ts'
import { queueStart } from './sending/campaign-job.ts'
import { enterState, writeDecision, writeOrder } from './sending/transitions.ts'

interface Issue {
  id: Id<'campaign'>
  feedId: Id<'feed'>
  /** Who gets it; null for all who agreed. */
  filter: Filter | null
  topic: string | null
  content: CheckedContent
  /** Whether a person has to see it first. */
  waits: boolean
  /** Who started the feed, by which connection and call, and who approved it. */
  userId: Id<'user'>
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  decidedBy: Id<'user'>
  /** The most recipients that were approved; null for any number. */
  people: number | null
  now: Date
}

/**
 * It is planned when its start job runs, at once: gates, counts and caps are those of every campaign.
 * What waits for a person goes to the approval page from there.
 */
export async function orderIssue(tx: Tx, businessId: Id<'business'>, issue: Issue): Promise<void> {
  const { id, feedId, filter, topic, content, waits, userId, connectionId, now } = issue
  const audience = filter ? { filter } : {}
  const callId = formatId('request', issue.callId ?? newId('request'))
  const origin = { userId, connectionId, callId }
  const draft = { id, audience, topic, content, writtenBy: 'caller' as const }
  await saveDraft(tx, businessId, { ...draft, origin, now })
  await tx.run(sql`
    update campaigns set feed_id = ${feedId} where business_id = ${businessId} and id = ${id}
  `)
  const order = {
    id,
    sendAt: now,
    sendLocal: null,
    zoneMode: 'business' as const,
    throttlePerMinute: null,
    recipients: 0,
    // The start replaces it.
    plan: JSON.stringify({ recipients: 0, ...(filter && { filter }) }),
    planHash: '',
    approval: waits ? ('asked' as const) : ('approved' as const),
    userId,
    decidedBy: issue.decidedBy,
    connectionId,
    callId: issue.callId,
  }
  await writeOrder(tx, businessId, order, now)
  if (!waits) {
    const decision = {
      id,
      approval: 'approved' as const,
      refusalReason: null,
      userId: issue.decidedBy,
      approvedRecipients: issue.people,
    }
    await writeDecision(tx, businessId, decision, now)
  }
  await enterState(tx, businessId, { id, state: 'scheduled' }, now)
  await queueStart(tx, { businessId, id, sendAt: now }, now)
}
