/** Statements about subscriptions. Secrets and attempts have files of their own. */

import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import type { EventSelector } from '../../events/catalog.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { EventFilter, Holder, Webhook } from './webhook.ts'

export interface NewWebhook {
  id: Id<'webhook'>
  url: string
  events: EventSelector[]
  filter: EventFilter | null
  description: string | null
  holder: Holder
}

export function insertWebhook(
  tx: Tx,
  businessId: Id<'business'>,
  webhook: NewWebhook,
  now: Date,
): Promise<number> {
  const { id, url, events, filter, description, holder } = webhook
  return tx.run(sql`
    insert into webhooks (business_id, id, url, events, filter, description, holder_id, created_at,
      updated_at)
    values (${businessId}, ${id}, ${url}, ${events}, ${filter && JSON.stringify(filter)}::jsonb,
      ${description}, ${holder}, ${now}, ${now})
  `)
}

/** Returns the subscription, locked until the transaction ends. */
export function lockWebhook(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'webhook'>,
): Promise<Webhook | undefined> {
  return tx.maybe<Webhook>(sql`
    select id, url, events, filter, description, holder_id as holder,
      paused_because as "pausedBecause", failing_since as "failingSince",
      replay_at as "replayAt", replay_total as "replayTotal", replay_done as "replayDone",
      created_at as "createdAt", updated_at as "updatedAt"
    from webhooks where business_id = ${businessId} and id = ${id} and deleted_at is null
    for no key update
  `)
}

export function updateWebhook(
  tx: Tx,
  businessId: Id<'business'>,
  webhook: Webhook,
  now: Date,
): Promise<number> {
  const { id, url, events, filter, description, holder, pausedBecause, failingSince } = webhook
  return tx.run(sql`
    update webhooks set url = ${url}, events = ${events},
      filter = ${filter && JSON.stringify(filter)}::jsonb, description = ${description},
      holder_id = ${holder}, paused_because = ${pausedBecause},
      paused_at = case when ${pausedBecause}::text is not null
        then coalesce(paused_at, ${now}::timestamptz) end,
      failing_since = ${failingSince}, updated_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

/**
 * Deletes the subscription with its secrets. Returns 'deleted', or 'gone' if it was deleted before.
 */
export function deleteWebhook(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'webhook'>,
  now: Date,
): Promise<{ was: 'deleted' | 'gone' } | undefined> {
  return tx.maybe(sql`
    with found as (
      select deleted_at from webhooks where business_id = ${businessId} and id = ${id} for update
    ), deleted as (
      update webhooks set deleted_at = ${now}, description = null
      from found
      where business_id = ${businessId} and id = ${id} and found.deleted_at is null
    ), secrets as (
      delete from webhook_secrets where business_id = ${businessId} and webhook_id = ${id}
    )
    select case when deleted_at is null then 'deleted' else 'gone' end as was from found
  `)
}

export function findWebhook(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'webhook'>,
): Promise<Webhook | undefined> {
  return db.maybe<Webhook>(sql`
    select id, url, events, filter, description, holder_id as holder,
      paused_because as "pausedBecause", failing_since as "failingSince",
      replay_at as "replayAt", replay_total as "replayTotal", replay_done as "replayDone",
      created_at as "createdAt", updated_at as "updatedAt"
    from webhooks where business_id = ${businessId} and id = ${id} and deleted_at is null
  `)
}

export interface WebhookPage {
  /** Lists only older subscriptions. */
  before: Id<'webhook'> | null
  limit: number
}

/** Lists subscriptions, newest first. */
export function listWebhooks(
  db: Db,
  businessId: Id<'business'>,
  page: WebhookPage,
): Promise<Webhook[]> {
  return db.all<Webhook>(sql`
    select id, url, events, filter, description, holder_id as holder,
      paused_because as "pausedBecause", failing_since as "failingSince",
      replay_at as "replayAt", replay_total as "replayTotal", replay_done as "replayDone",
      created_at as "createdAt", updated_at as "updatedAt"
    from webhooks
    where business_id = ${businessId} and id < ${page.before ?? highestId} and deleted_at is null
    order by id desc limit ${page.limit}
  `)
}

/** Finds the business that has the subscription, or had it until recently. */
export function findOwner(
  db: Db,
  businessIds: readonly Id<'business'>[],
  id: Id<'webhook'>,
): Promise<{ businessId: Id<'business'> } | undefined> {
  return db.maybe(sql`
    select business_id as "businessId" from webhooks
    where business_id = any(${businessIds}::uuid[]) and id = ${id}
  `)
}

export function forgetDeleted(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from webhooks where deleted_at < ${before}`)
}
