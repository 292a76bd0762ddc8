import { type Id, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { lockWebhook } from '../model/queries.ts'
import { expireSecrets, insertSecret, lastVersion } from '../model/secret-queries.ts'
import { newSecret, openSecret, type Sealer } from '../model/secrets.ts'
import { noSuchWebhook, webhookIdInput } from '../model/view.ts'
import { webhookLimits } from '../model/webhook.ts'
import { byWebhook } from './find-business.ts'

/**
 * During a grace period both secrets sign, and receivers can change over when they like. A second
 * rotation within it expires the oldest secret at once, so there are never more than two.
 */
export function webhookRotate({ vault }: { vault: Sealer }) {
  return operation({
    name: 'webhook.rotate',
    title: 'Rotate a signing secret',
    area: 'webhooks',
    summary:
      'Rotate the signing secret of a webhook; the new one is shown once. The old one ends now or after a grace period.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    rest: 'PATCH /v1/webhooks/:webhook_id/rotate',
    locate: { webhook_id: byWebhook },
    input: {
      webhook_id: webhookIdInput,
      grace_period_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: webhookLimits.graceSeconds,
          description: 'Both sign so long; default 0.',
        }),
      ),
    },
    output: Type.Object({
      webhook_id: Type.String(),
      signing_secret: Type.String(),
      rotated_at: Type.String({ description: 'ISO 8601, UTC.' }),
      previous_secret_expires_at: Type.String({ description: 'ISO 8601, UTC.' }),
    }),

    async run({ business, now, write, origin }, { webhook_id, grace_period_seconds: grace = 0 }) {
      const webhookId = parseId('webhook', webhook_id)
      if (!webhookId) throw noSuchWebhook(webhook_id)
      const expiresAt = later(now, seconds(grace))
      // The response stored under an idempotency key has only the sealed secret.
      const rotated = await write(async (tx) => {
        const change = { webhookId, expiresAt, now }
        const made = await changeSecret(tx, vault, business.id, change)
        if (!made) throw noSuchWebhook(webhook_id)
        const details = { grace_period_seconds: grace }
        const entry = { businessId: business.id, action: 'webhook.rotate', subject: webhook_id }
        await recordAudit(tx, [{ ...entry, details, origin }], now)
        const { version, sealed } = made
        const times = { rotatedAt: now.toISOString(), expiresAt: expiresAt.toISOString() }
        return { version, sealed: sealed.toString('base64'), ...times }
      })
      const sealed = Buffer.from(rotated.sealed, 'base64')
      return {
        webhook_id,
        signing_secret: openSecret(vault, { webhookId, version: rotated.version, sealed }),
        rotated_at: rotated.rotatedAt,
        previous_secret_expires_at: rotated.expiresAt,
      }
    },
  })
}

async function changeSecret(
  tx: Tx,
  vault: Sealer,
  businessId: Id<'business'>,
  change: { webhookId: Id<'webhook'>; expiresAt: Date; now: Date },
) {
  const { webhookId, expiresAt, now } = change
  if (!(await lockWebhook(tx, businessId, webhookId))) return undefined
  const { version } = await lastVersion(tx, businessId, webhookId)
  await expireSecrets(tx, businessId, webhookId, { version, until: expiresAt })
  const made = newSecret(vault, { webhookId, version: version + 1 })
  await insertSecret(tx, businessId, made, now)
  return made
}
