/**
 * Which events a webhook with a filter gets, by their data. It is decided in the fan-out, where only such
 * webhooks cost a look at the events' data.
 */

import { type Id, parseId } from '../../core/ids.ts'
import { type EventTypeName, hasField } from '../../events/catalog.ts'
import type { PlacedEvent } from '../../events/fan-out.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { EventFilter } from '../model/webhook.ts'
import type { Subscription } from './subscription-queries.ts'

/** By which field of an event's data each part of a filter is decided. */
export const fieldOf = { tags: 'tags', template: 'message_id' } as const satisfies Record<
  keyof EventFilter,
  string
>

interface Filtered {
  tags: readonly string[]
  template: Id<'template'> | null
}

/** Returns whether a webhook's filter lets an event of its types pass. */
export async function filterOf(
  tx: Tx,
  subscriptions: readonly Subscription[],
  placed: readonly PlacedEvent[],
): Promise<(webhook: Subscription, event: PlacedEvent) => boolean> {
  const filters = subscriptions.filter(({ filter }) => filter !== null)
  if (filters.length === 0) return () => true
  const decided = placed.filter(({ businessId, type }) =>
    filters.some(
      (webhook) =>
        webhook.businessId === businessId && webhook.events.has(type) && says(webhook.filter, type),
    ),
  )
  const data = await dataOf(tx, decided)
  return ({ filter }, { eventId, type }) => {
    if (!filter || !says(filter, type)) return true
    const itsData = data.get(eventId)
    return itsData !== undefined && passes(filter, type, itsData)
  }
}

/** Whether the filter has a part that decides about events of the type. */
function says(filter: EventFilter | null, type: EventTypeName): boolean {
  const parts = Object.keys(filter ?? {}) as (keyof EventFilter)[]
  return parts.some((part) => hasField(type, fieldOf[part]))
}

function passes({ tags, template }: EventFilter, type: EventTypeName, event: Filtered): boolean {
  const hasTag =
    !tags || !hasField(type, fieldOf.tags) || tags.some((tag) => event.tags.includes(tag))
  const ofTemplate = !template || !hasField(type, fieldOf.template) || event.template === template
  return hasTag && ofTemplate
}

/** The tags of events, and the templates of the messages that they are about. */
async function dataOf(
  tx: Tx,
  events: readonly PlacedEvent[],
): Promise<ReadonlyMap<Id<'event'>, Filtered>> {
  if (events.length === 0) return new Map()
  const rows = await tx.all<{
    businessId: Id<'business'>
    id: Id<'event'>
    tags: unknown
    message: string | null
  }>(sql`
    select e.business_id as "businessId", e.id, e.body::json -> 'data' -> 'tags' as tags,
      e.body::json -> 'data' ->> 'message_id' as message
    from unnest(
      ${events.map(({ businessId }) => businessId)}::uuid[],
      ${events.map(({ eventId }) => eventId)}::uuid[],
      ${events.map(({ createdAt }) => createdAt)}::timestamptz[]
    ) as new (business_id, id, created_at)
    join events e on e.business_id = new.business_id and e.created_at = new.created_at
      and e.id = new.id
    where e.erased_at is null
  `)
  const messages = rows.flatMap(({ businessId, message }) => {
    const id = message === null ? undefined : parseId('message', message)
    return id ? [{ businessId, id }] : []
  })
  const templates = await templatesOf(tx, messages)
  return new Map(
    rows.map(({ id, tags, message }) => {
      const messageId = message === null ? undefined : parseId('message', message)
      const template = (messageId && templates.get(messageId)) ?? null
      return [id, { tags: Array.isArray(tags) ? tags.map(String) : [], template }]
    }),
  )
}

async function templatesOf(
  tx: Tx,
  messages: readonly { businessId: Id<'business'>; id: Id<'message'> }[],
): Promise<ReadonlyMap<Id<'message'>, Id<'template'>>> {
  if (messages.length === 0) return new Map()
  const rows = await tx.all<{ id: Id<'message'>; template: Id<'template'> }>(sql`
    select m.id, m.template_id as template
    from unnest(
      ${messages.map(({ businessId }) => businessId)}::uuid[],
      ${messages.map(({ id }) => id)}::uuid[]
    ) as asked (business_id, id)
    join messages m on m.business_id = asked.business_id and m.id = asked.id
    where m.template_id is not null
  `)
  return new Map(rows.map(({ id, template }) => [id, template]))
}
