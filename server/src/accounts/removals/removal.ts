/**
 * What a connection removes for good waits for 24 hours where a person should have time to see it:
 * the sixth person that it erases or merges within a day, a merge of contacts with different
 * addresses, and a sender domain. `assistants/removals.ts` lists, cancels and completes them.
 */
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import { type BusinessContext, isConnection } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, hours, later } from '../../lib/time/clock.ts'

/** Erasures and merges by one connection in one business in 24 hours, together, that are done at once. */
export const promptRemovalsPerDay = 5

export const removalHoldMs = hours(24)

/** Completes a removal when its hold is over. */
export const removalJob = 'removal.complete'

export interface RemovalPayload {
  business_id: Id<'business'>
  removal_id: Id<'removal'>
}

export type RemovalAction = 'contact.erase' | 'contact.merge' | 'domain.remove'

export interface RemovalOrder {
  action: RemovalAction
  contactId?: Id<'contact'>
  otherContactId?: Id<'contact'>
  domain?: string
}

/** In the answer of an operation whose work is held. */
export const heldField = Type.Optional(
  Type.Object({
    removal_id: Type.String(),
    due_at: Type.String(),
    url: Type.String(),
  }),
)

interface HeldRemoval {
  removal_id: string
  due_at: string
  url: string
}

type Ordering = Pick<BusinessContext, 'business' | 'principal' | 'origin' | 'now' | 'appUrl'>

/**
 * Whether the caller has removed as many people in 24 hours as it may at once. The caller has locked
 * the business's counters, so that calls at the same time are counted.
 */
export async function isManyRemovals(
  tx: Tx,
  { business, principal, origin, now }: Ordering,
): Promise<boolean> {
  if (!isConnection(principal)) return false
  const since = later(now, -days(1))
  const { removals } = await tx.one<{ removals: number }>(sql`
    select (
      select count(*)::int from audit_entries
      where business_id = ${business.id} and connection_id = ${origin.connectionId}
        and created_at > ${since} and action in ('contact.erase', 'contact.merge')
    ) + (
      select count(*)::int from held_removals
      where business_id = ${business.id} and connection_id = ${origin.connectionId}
        and ordered_at > ${since} and contact_id is not null
        and (outcome is null or outcome <> 'done')
    ) as removals
  `)
  return removals >= promptRemovalsPerDay
}

/** Holds what was ordered, or finds it where it waits already. */
export async function holdRemoval(
  tx: Tx,
  { business, origin, now, appUrl }: Ordering,
  { action, contactId, otherContactId, domain }: RemovalOrder,
): Promise<HeldRemoval> {
  const dueAt = later(now, removalHoldMs)
  const insertedRow = await tx.maybe<{ id: Id<'removal'> }>(sql`
    insert into held_removals (business_id, id, action, contact_id, other_contact_id, domain,
      connection_id, user_id, call_id, ordered_at, due_at)
    values (${business.id}, ${newId('removal')}, ${action}, ${contactId ?? null},
      ${otherContactId ?? null}, ${domain ?? null}, ${origin.connectionId}, ${origin.userId},
      ${parseId('request', origin.callId) ?? null}, ${now}, ${dueAt})
    on conflict (business_id, action, contact_id, other_contact_id, domain)
      where ended_at is null do nothing
    returning id
  `)
  if (!insertedRow) {
    const waiting = await tx.one<{ id: Id<'removal'>; dueAt: Date }>(sql`
      select id, due_at as "dueAt" from held_removals
      where business_id = ${business.id} and action = ${action}
        and contact_id is not distinct from ${contactId ?? null}
        and other_contact_id is not distinct from ${otherContactId ?? null}
        and domain is not distinct from ${domain ?? null} and ended_at is null
    `)
    return heldView({ ...waiting, business, appUrl })
  }
  const payload: RemovalPayload = { business_id: business.id, removal_id: insertedRow.id }
  await enqueue(tx, [{ kind: removalJob, businessId: business.id, payload, dueAt }], now)
  const { recent } = await tx.one<{ recent: number }>(sql`
    select count(*)::int as recent from held_removals
    where business_id = ${business.id} and connection_id = ${origin.connectionId}
      and ordered_at > ${later(now, -days(1))}
  `)
  const subject = formatId('removal', insertedRow.id)
  // Owners get one mail about a connection in 24 hours, and one about each domain.
  const isNotified = recent === 1 || domain !== undefined
  const details = { of: action, is_notified: isNotified, ...(domain !== undefined && { domain }) }
  const entry = { businessId: business.id, action: 'removal.order', subject, details, origin }
  await recordAudit(tx, [entry], now)
  return heldView({ id: insertedRow.id, dueAt, business, appUrl })
}

interface HeldRow extends Pick<Ordering, 'business' | 'appUrl'> {
  id: Id<'removal'>
  dueAt: Date
}

function heldView({ id, dueAt, business, appUrl }: HeldRow): HeldRemoval {
  return {
    removal_id: formatId('removal', id),
    due_at: dueAt.toISOString(),
    url: removalsUrl(appUrl, business.id),
  }
}

/** The page on which a person completes or cancels what waits. */
export function removalsUrl(appUrl: string, businessId: Id<'business'>): string {
  return `${appUrl}/b/${formatId('business', businessId)}/connections`
}
