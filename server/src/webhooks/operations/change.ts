import { formatId, type Id } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { Tx } from '../../lib/db/types.ts'
import { pauseLane, resumeLane, steerLane } from '../../lib/jobs/lanes.ts'
import { lockWebhook, updateWebhook } from '../model/queries.ts'
import { checkEvents, holderOf, type Rights, withoutRight } from '../model/rights.ts'
import { noSuchWebhook, viewOf, type WebhookView } from '../model/view.ts'
import { deliverJob, type Webhook, type WebhookStatus } from '../model/webhook.ts'

/** The fields of the call. An existing subscription keeps the fields that the call leaves out. */
export interface Changes {
  url?: string
  events?: EventTypeName[]
  description?: string | null
  status?: WebhookStatus
}

/**
 * A caller who changes the destination, or resumes the subscription, becomes the holder of its
 * rights. Otherwise a caller who may not see contacts could redirect another holder's events to
 * themselves.
 */
export function changeWebhook(
  { rights }: { rights: Rights },
  { business, principal, now, write, origin }: BusinessContext,
  { id, changes }: { id: Id<'webhook'>; changes: Changes },
): Promise<WebhookView> {
  return write(async (tx) => {
    const before = await lockWebhook(tx, business.id, id)
    if (!before) throw noSuchWebhook(formatId('webhook', id))
    const stopped = (await withoutRight(rights, tx, business.id, [before])).has(before)
    const { status, ...said } = changes
    const after: Webhook = { ...before, ...said, updatedAt: now }
    if (status === 'paused') after.pausedBecause ??= stopped ? 'connection_ended' : 'asked'
    if (status === 'active') after.pausedBecause = null
    const isMoved = after.url !== before.url
    const resumes = status === 'active' && (stopped || before.pausedBecause !== null)
    if (isMoved || resumes || addsTo(before.events, after.events)) {
      const beyond = checkEvents(after.events, principal.scopes)
      if (beyond) throw beyond
      after.holder = holderOf(principal)
    } else if (stopped) after.pausedBecause ??= 'connection_ended'
    if (isMoved) after.failingSince = null
    await updateWebhook(tx, business.id, after, now)
    await steer(tx, before, after, now)
    const subject = formatId('webhook', id)
    const details = { changed: Object.keys(changes).join(' ') }
    const entry = { businessId: business.id, action: 'webhook.save', subject, details, origin }
    await recordAudit(tx, [entry], now)
    return viewOf(business.id, after, true)
  })
}

function addsTo(before: readonly string[], after: readonly string[]): boolean {
  return after.some((type) => !before.includes(type))
}

/**
 * A paused subscription's lane is suspended. With a new address, the lane starts at full capacity.
 */
async function steer(tx: Tx, before: Webhook, after: Webhook, now: Date): Promise<void> {
  const lane = { kind: deliverJob, lane: after.id }
  if (after.url !== before.url) {
    await steerLane(tx, lane, { capacity: null, priority: 'normal' }, now)
  }
  if (after.pausedBecause !== null) await pauseLane(tx, lane, now)
  else await resumeLane(tx, lane, now)
}
