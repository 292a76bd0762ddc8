/** How far the replays of a webhook are: several that run at once count together. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

interface WebhookKey {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
}

export function beginProgress(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  events: number,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update webhooks set replay_at = ${now},
      replay_total = ${events}::int + case when replay_done < replay_total then replay_total else 0 end,
      replay_done = case when replay_done < replay_total then replay_done else 0 end
    where business_id = ${businessId} and id = ${webhookId}
  `)
}

export function addProgress(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  events: number,
): Promise<number> {
  return tx.run(sql`
    update webhooks set replay_done = least(replay_total, replay_done + ${events}::int)
    where business_id = ${businessId} and id = ${webhookId}
  `)
}
