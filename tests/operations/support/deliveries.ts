/** Deliveries that were given up, as many as the walks need, since each retry or replay uses one up. */

import { formatId, type Id, newId, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'

const pools = new Map<string, string[]>()

interface Source {
  businessId: Id<'business'>
  webhookId: string
  /** Copied for each delivery, as an event of a type that the webhook names. */
  eventId: string
  type?: string
}

export async function fillDeliveries(
  db: Db,
  { businessId, webhookId, eventId, type = 'campaign.deployed' }: Source,
  { count, now }: { count: number; now: Date },
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('delivery'))
  await db.run(sql`
    with copy as (
      insert into events (business_id, id, type, body, created_at)
      select business_id, made.id, ${type}, body, created_at
      from events, unnest(${ids.map(() => newId('event'))}::uuid[]) as made (id)
      where business_id = ${businessId} and events.id = ${parseId('event', eventId)}
      returning business_id, id, type, created_at
    ), numbered as (
      select *, row_number() over () as n from copy
    ), attempt as (
      insert into webhook_attempts (business_id, id, webhook_id, event_id, event_type, event_at,
        attempt, created_at, begun_at, ended_at, outcome, url, status, failure)
      select business_id, (${ids}::uuid[])[n], ${parseId('webhook', webhookId)}, id, type,
        created_at, 7, ${now}, ${now}, ${now}, 'failed', 'https://1.1.1.1/', 500, 'status'
      from numbered
      returning *
    )
    insert into dead_letters (business_id, webhook_id, id, event_id, event_type, event_at,
      attempts, status, failure, failed_at)
    select business_id, webhook_id, id, event_id, event_type, event_at, attempt, status, failure,
      ended_at
    from attempt
  `)
  pools.set(
    formatId('business', businessId),
    ids.map((id) => formatId('delivery', id)),
  )
}

/** Returns a delivery of the business that was given up and that no call has used yet. */
export function freshDelivery(business_id: string): string {
  const delivery_id = pools.get(business_id)?.shift()
  if (delivery_id === undefined) throw new Error('no delivery is left: ask for more of them')
  return delivery_id
}
