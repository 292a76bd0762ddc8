import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { momentInput, readMoment } from '../../core/moment.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { nextCursor } from '../../core/paging.ts'
import { type EventTypeName, eventTypeNames, typesOf } from '../../events/catalog.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, later } from '../../lib/time/clock.ts'
import { countDeadLetters } from '../delivery/dead-letter-queries.ts'
import { type ReplayDead, replayDeadJob, replayOne } from '../delivery/replay-dead.ts'
import { beginProgress } from '../delivery/replay-progress.ts'
import {
  mostReplayed,
  type ReplayedOutcome,
  replayedOutcomes,
  replayRange,
} from '../delivery/replay-range.ts'
import { maxAttempts } from '../delivery/schedule.ts'
import { findAttempt } from '../log/log.ts'
import { deliveryIdInput } from '../log/log-view.ts'
import { findWebhook, lockWebhook } from '../model/queries.ts'
import { checkResent } from '../model/rights.ts'
import { noSuchDelivery, noSuchWebhook, webhookIdInput } from '../model/view.ts'
import type { Webhook } from '../model/webhook.ts'
import { byDelivery, byWebhook } from './find-business.ts'

export const webhookReplay = operation({
  name: 'webhook.replay',
  title: 'Replay deliveries',
  area: 'webhooks',
  summary: `Send events again: same event ids and bytes, ${maxAttempts} attempts each. One by delivery_id; with webhook_id all undelivered ones, or at most ${mostReplayed} by since, until, types, outcome. webhook.list shows how far it is.`,
  reach: 'business',
  scope: 'provisioning:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  rest: [
    'POST /v1/webhooks/deliveries/:delivery_id/replay',
    'POST /v1/webhooks/:webhook_id/replay',
  ],
  status: 202,
  locate: { delivery_id: byDelivery, webhook_id: byWebhook },
  input: {
    delivery_id: Type.Optional(deliveryIdInput),
    webhook_id: Type.Optional(webhookIdInput),
    since: Type.Optional(momentInput('Events from then on, ISO 8601; default: all kept.')),
    until: Type.Optional(momentInput('Events before; default: now.')),
    types: Type.Optional(
      Type.Array(Type.Enum(eventTypeNames), {
        minItems: 1,
        uniqueItems: true,
        description: 'Default: all that the webhook names.',
      }),
    ),
    outcome: Type.Optional(
      Type.Enum(replayedOutcomes, {
        description: 'Default: both, once a span or types are named.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ description: 'next_cursor of the call before.', maxLength: 100 }),
    ),
  },
  output: Type.Object({
    webhook_id: Type.String(),
    delivery_id: Type.Optional(Type.String()),
    event_id: Type.Optional(Type.String()),
    replaying: Type.Integer(),
    next_cursor: nextCursor,
  }),

  async run(context, { delivery_id, webhook_id, since, until, types, outcome, cursor }) {
    const span: Span = {
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(types !== undefined && { types }),
      ...(outcome !== undefined && { outcome }),
      ...(cursor !== undefined && { cursor }),
    }
    const [field] = Object.keys(span)
    if (delivery_id !== undefined && field !== undefined) throw ofManyEvents(field)
    if (webhook_id !== undefined && field !== undefined) {
      return replaySpan(context, webhook_id, span)
    }
    if (delivery_id !== undefined) return replayDelivery(context, delivery_id, webhook_id)
    if (webhook_id !== undefined) return replayAll(context, webhook_id)
    const text =
      'delivery_id is missing: name a delivery, or give a webhook_id for all its undelivered events.'
    throw refuse('invalid_request', text, { field: 'delivery_id', data: { reason: 'missing' } })
  },
})

/** The caller may name any attempt of the delivery, of the first chain or of a replay. */
async function replayDelivery(
  { business, principal, now, write }: BusinessContext,
  text: string,
  ofWebhook: string | undefined,
): Promise<Replayed> {
  const id = parseId('delivery', text)
  if (!id) throw noSuchDelivery(text)
  return write(async (tx) => {
    const attempt = await findAttempt(tx, [business.id], id)
    if (!attempt) throw noSuchDelivery(text)
    const webhookId = formatId('webhook', attempt.webhookId)
    if (ofWebhook !== undefined && ofWebhook !== webhookId) throw noSuchWebhook(ofWebhook)
    // Locked, so that the same attempt is not replayed twice at once.
    const webhook = await lockWebhook(tx, business.id, attempt.webhookId)
    if (!webhook) throw noSuchWebhook(webhookId)
    const beyond = checkResent(attempt.type, webhook, principal.scopes)
    if (beyond) throw beyond
    const replayed = await replayOne(tx, attempt, now)
    return {
      webhook_id: webhookId,
      delivery_id: formatId('delivery', replayed.id),
      event_id: formatId('event', attempt.eventId),
      replaying: 1,
    }
  })
}

interface Replayed {
  webhook_id: string
  delivery_id?: string
  event_id?: string
  replaying: number
  next_cursor?: string
}

interface Span {
  since?: string
  until?: string
  types?: EventTypeName[]
  outcome?: ReplayedOutcome
  cursor?: string
}

/** The events of a span of time, by types. Few are queued in the call, many by a job. */
async function replaySpan(
  { business, now, write }: BusinessContext,
  text: string,
  span: Span,
): Promise<Replayed> {
  const webhookId = parseId('webhook', text)
  if (!webhookId) throw noSuchWebhook(text)
  const since = readMoment(span.since, 'since') ?? later(now, -days(30))
  const until = readMoment(span.until, 'until') ?? now
  if (since >= until) throw endsBeforeItBegins()
  const after = span.cursor === undefined ? null : parseId('event', span.cursor)
  if (after === undefined) throw invalidCursor()
  return write(async (tx) => {
    const webhook = await lockWebhook(tx, business.id, webhookId)
    if (!webhook) throw noSuchWebhook(text)
    const current = typesOf(webhook.events)
    const types = span.types ?? current
    const beyond = types.filter((type) => !current.includes(type))
    if (beyond.length > 0) throw notNamed(text, webhook, beyond)
    const outcomes = span.outcome ? [span.outcome] : replayedOutcomes
    const range = { businessId: business.id, webhookId, since, until, types, outcomes, after }
    const { count, last } = await replayRange(tx, range, now)
    return {
      webhook_id: text,
      replaying: count,
      ...(last !== undefined && { next_cursor: formatId('event', last) }),
    }
  })
}

function ofManyEvents(field: string): Refusal {
  const text = `${field} chooses among many events. Give it with a webhook_id, without a delivery_id.`
  return refuse('invalid_request', text, { field, data: { reason: 'one_delivery' } })
}

function endsBeforeItBegins(): Refusal {
  const text = 'until must be after since.'
  return refuse('invalid_request', text, { field: 'until', data: { reason: 'until_before_since' } })
}

function invalidCursor(): Refusal {
  const text = 'Invalid cursor. Pass next_cursor unchanged, or omit it.'
  return refuse('invalid_request', text, { field: 'cursor', data: { reason: 'list_changed' } })
}

function notNamed(text: string, { events }: Webhook, beyond: readonly string[]): Refusal {
  const message = `The webhook does not name ${beyond.join(', ')} now, and gets no event of other types.`
  return refuse('invalid_request', message, {
    field: 'types',
    data: { reason: 'not_named' },
    fix: { tool: 'webhook.save', arguments: { webhook_id: text, events: [...events, ...beyond] } },
  })
}

/** Replays the current dead letters. There may be a million, so a job replays them. */
async function replayAll(
  { business, now, write }: BusinessContext,
  text: string,
): Promise<Replayed> {
  const webhookId = parseId('webhook', text)
  if (!webhookId) throw noSuchWebhook(text)
  return write(async (tx) => {
    if (!(await findWebhook(tx, business.id, webhookId))) throw noSuchWebhook(text)
    const { count, last } = await countDeadLetters(tx, business.id, webhookId)
    if (last !== null) {
      const payload: ReplayDead = { business_id: business.id, webhook_id: webhookId, up_to: last }
      await beginProgress(tx, { businessId: business.id, webhookId }, count, now)
      await enqueue(
        tx,
        [{ kind: replayDeadJob, businessId: business.id, lane: webhookId, payload }],
        now,
      )
    }
    return { webhook_id: text, replaying: count }
  })
}
