/** A subscription as callers see it, and the ways in which callers refer to one. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import { eventSelectors } from '../../events/catalog.ts'

import { type Static, Type } from '../../lib/schema/schema.ts'
import type { HolderName } from './rights.ts'
import {
  type EventFilter,
  pauseReasons,
  type Webhook,
  webhookLimits,
  webhookStatuses,
} from './webhook.ts'

export const webhookIdInput = Type.String({
  description: 'The webhook, whk_….',
  pattern: '^whk_[0-9a-hjkmnp-tv-z]{26}$',
})

export const filterFields = Type.Object({
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: webhookLimits.filterTags,
      uniqueItems: true,
      description: 'Events with one of these tags.',
    }),
  ),
  template_id: Type.Optional(
    Type.String({ pattern: '^tpl_[0-9a-hjkmnp-tv-z]{26}$', description: 'tpl_….' }),
  ),
})

/**
 * The contract's fields of an existing subscription. Its secret is shown once, when it is created.
 */
export const webhookView = Type.Object({
  webhook_id: Type.String(),
  business_id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.Enum(eventSelectors)),
  filter: Type.Optional(filterFields),
  description: Type.Optional(Type.String()),
  status: Type.Enum(webhookStatuses),
  paused_because: Type.Optional(Type.Enum(pauseReasons)),
  failing_since: Type.Optional(Type.String()),
  replay: Type.Optional(
    Type.Object({
      requested_at: Type.String({ description: 'ISO 8601, UTC.' }),
      total: Type.Integer(),
      queued: Type.Integer(),
    }),
  ),
  holder: Type.Optional(
    Type.Object({
      kind: Type.Enum(['key', 'connection', 'person']),
      holder_id: Type.String(),
      // An app chooses its own.
      untrusted: Type.Optional(untrusted({ name: Type.String() })),
      email: Type.Optional(Type.String()),
    }),
  ),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
})

export type WebhookView = Static<typeof webhookView>

/** `hasRight`: whether its holder still has the right to its events. */
export function viewOf(
  businessId: Id<'business'>,
  webhook: Webhook,
  hasRight: boolean,
  holder?: HolderName,
): WebhookView {
  const because = webhook.pausedBecause ?? (hasRight ? null : 'connection_ended')
  return {
    webhook_id: formatId('webhook', webhook.id),
    business_id: formatId('business', businessId),
    url: webhook.url,
    events: webhook.events,
    ...(webhook.filter && { filter: filterViewOf(webhook.filter) }),
    ...(webhook.description !== null && { description: webhook.description }),
    status: because === null ? 'active' : 'paused',
    ...(because !== null && { paused_because: because }),
    ...(webhook.failingSince && { failing_since: webhook.failingSince.toISOString() }),
    ...(webhook.replayAt && {
      replay: {
        requested_at: webhook.replayAt.toISOString(),
        total: webhook.replayTotal,
        queued: webhook.replayDone,
      },
    }),
    ...(holder && { holder: holderView(holder) }),
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  }
}

function holderView({ id, kind, name, email }: HolderName): WebhookView['holder'] & {} {
  const holder_id =
    kind === 'person'
      ? formatId('user', id as Id<'user'>)
      : formatId('connection', id as Id<'connection'>)
  return {
    kind,
    holder_id,
    ...(name !== null && { untrusted: { name } }),
    ...(email !== null && { email }),
  }
}

function filterViewOf({ tags, template }: EventFilter): Static<typeof filterFields> {
  return { ...(tags && { tags }), ...(template && { template_id: formatId('template', template) }) }
}

/** Another business's webhook gets the same refusal as one that never existed. */
export function noSuchWebhook(webhookId: string): Refusal {
  return refuse('not_found', `This business has no webhook ${webhookId}.`, {
    field: 'webhook_id',
    fix: { tool: 'webhook.list', arguments: {} },
  })
}

export function noSuchDelivery(deliveryId: string): Refusal {
  const text = `This business has no delivery ${deliveryId}, or its 30 days are over.`
  return refuse('not_found', text, {
    field: 'delivery_id',
    fix: { tool: 'webhook.list', arguments: {} },
  })
}
