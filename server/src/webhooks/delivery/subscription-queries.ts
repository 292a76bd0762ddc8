/** The data that the fan-out and the deliveries read about many subscriptions at once. */

import type { Id } from '../../core/ids.ts'
import { type EventSelector, type EventTypeName, typesOf } from '../../events/catalog.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { EventFilter, Holder } from '../model/webhook.ts'

export interface Subscription {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  events: ReadonlySet<EventTypeName>
  filter: EventFilter | null
  isFailing: boolean
  createdAt: Date
}

export async function selectSubscriptions(
  db: Db,
  businessIds: Id<'business'>[],
): Promise<Subscription[]> {
  const rows = await db.all<Omit<Subscription, 'events'> & { events: EventSelector[] }>(sql`
    select business_id as "businessId", id as "webhookId", events, filter,
      failing_since is not null as "isFailing", created_at as "createdAt"
    from webhooks where business_id = any(${businessIds}::uuid[]) and deleted_at is null
  `)
  return rows.map((row) => ({ ...row, events: new Set(typesOf(row.events)) }))
}

export interface Target {
  webhookId: Id<'webhook'>
  url: string
  holder: Holder
  isPaused: boolean
  failingSince: Date | null
  /** The secrets that sign at `now`, newest first. */
  secrets: { version: number; sealed: string; expiresAt: string | null }[]
}

/** Current destinations and secrets, without deleted subscriptions. */
export function selectTargets(
  db: Db,
  webhooks: { businessId: Id<'business'>; webhookId: Id<'webhook'> }[],
  now: Date,
): Promise<Target[]> {
  const businessIds = webhooks.map(({ businessId }) => businessId)
  const ids = webhooks.map(({ webhookId }) => webhookId)
  return db.all<Target>(sql`
    select w.id as "webhookId", w.url, w.holder_id as holder,
      w.paused_at is not null as "isPaused", w.failing_since as "failingSince",
      (
        select coalesce(json_agg(json_build_object(
          'version', s.version, 'sealed', encode(s.sealed, 'base64'), 'expiresAt', s.expires_at
        ) order by s.version desc), '[]')
        from webhook_secrets s
        where s.business_id = w.business_id and s.webhook_id = w.id
          and (s.expires_at is null or s.expires_at > ${now})
      ) as secrets
    from unnest(${businessIds}::uuid[], ${ids}::uuid[]) as asked (business_id, id)
    join webhooks w on w.business_id = asked.business_id and w.id = asked.id
    where w.deleted_at is null
  `)
}

/** The URLs of some businesses' subscriptions, or of one, including recently deleted ones. */
export function selectUrls(
  db: Db,
  businessIds: readonly Id<'business'>[],
  id: Id<'webhook'> | null,
): Promise<{ businessId: Id<'business'>; id: Id<'webhook'>; url: string }[]> {
  return db.all(sql`
    select business_id as "businessId", id, url from webhooks
    where business_id = any(${businessIds}::uuid[]) and (${id}::uuid is null or id = ${id})
  `)
}

/** Sets the time since which the receiver has been failing. Null once it responds again. */
export function markFailing(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'webhook'>,
  since: Date | null,
): Promise<number> {
  return db.run(sql`
    update webhooks set failing_since = ${since}
    where business_id = ${businessId} and id = ${id}
      and (failing_since is null) <> (${since}::timestamptz is null)
  `)
}
