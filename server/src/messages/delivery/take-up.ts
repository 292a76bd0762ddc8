/**
 * Selects the messages of a chunk that are to be sent now. Attempts that a worker left open are
 * resolved first.
 */

import { recordActivity } from '../../contacts/timeline/activity.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { emitAll } from '../../events/emit.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Outcomes, tellOutcomes } from '../model/campaign-outcomes.ts'
import type { Message } from '../model/message.ts'
import type { ChunkPayload } from '../model/queue.ts'
import { deferredEvent, sentEvent } from '../timeline/announce.ts'
import { eventRow } from '../timeline/event-row.ts'
import {
  findDue,
  insertEvents,
  type ReleasedMessage,
  releaseScheduled,
  resolveOrphans,
} from './attempt-queries.ts'
import type { Attempts } from './attempts.ts'

export interface TakeUpDeps {
  db: Database
  clock: Clock
  attempts: Attempts
  outcomes: Outcomes
}

export async function takeUp(deps: TakeUpDeps, payload: ChunkPayload): Promise<Message[]> {
  const { business_id: businessId, message_ids: ids } = payload
  const { db, clock, attempts } = deps
  const found = await findDue(db, businessId, ids, clock.now())
  const orphaned = found.some(({ state }) => state === 'attempting')
  const scheduled = found.some(({ state }) => state === 'scheduled')
  if (!orphaned && !scheduled) return found
  // The journal that the job's last holder wrote to this machine's disk has those outcomes.
  if (orphaned) await attempts.replay()
  await db.tx(async (tx) => {
    const now = clock.now()
    if (orphaned) await giveUp(tx, deps, businessId, { ids, now })
    if (scheduled) await announce(tx, await releaseScheduled(tx, businessId, ids, now), now)
  })
  const due = await findDue(db, businessId, ids, clock.now())
  return due.filter(({ state }) => state === 'queued' || state === 'deferred')
}

async function giveUp(
  tx: Tx,
  { outcomes }: TakeUpDeps,
  businessId: Id<'business'>,
  { ids, now }: { ids: readonly Id<'message'>[]; now: Date },
): Promise<void> {
  const orphans = await resolveOrphans(tx, businessId, ids, now)
  const rows = orphans.map(({ id, kind }) =>
    eventRow(
      { businessId, messageId: id, type: kind === 'marketing' ? 'unknown' : 'deferred' },
      now,
    ),
  )
  const words = 'The service stopped while the message was under way.'
  await insertEvents(
    tx,
    rows.map((row) => ({ ...row, words })),
    now,
  )
  await emitAll(
    tx,
    orphans
      .filter(({ kind, attempts }) => kind !== 'marketing' && attempts === 1)
      .map((orphan) => deferredEvent(orphan, words, now)),
    now,
  )
  const unknown = orphans.filter(({ kind }) => kind === 'marketing')
  await tellOutcomes(
    tx,
    outcomes,
    unknown.map((row) => ({ ...row, state: 'unknown' })),
    now,
  )
}

async function announce(tx: Tx, released: ReleasedMessage[], now: Date): Promise<void> {
  const origins = released.map((message) => ({ message, origin: originOf(message) }))
  await emitAll(
    tx,
    origins.map(({ message, origin }) => sentEvent(message, origin)),
    now,
  )
  const activity = origins.flatMap(({ message, origin }) => {
    const { businessId, contactId, id: messageId, campaignId, channel } = message
    const subject = { messageId, campaignId, channel }
    return contactId
      ? [{ businessId, contactId, type: 'message.sent', details: {}, origin, subject }]
      : []
  })
  await recordActivity(tx, activity, now)
}

function originOf({ connectionId, callId }: ReleasedMessage) {
  if (!callId) return undefined
  return { connectionId, callId: formatId('request', callId) }
}
