import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { endKey } from './key-queries.ts'

export const keyRevoke = operation({
  name: 'key.revoke',
  title: 'Revoke an API key',
  summary:
    'Revokes an API key at once: its next call is refused, and webhooks that depend on it are paused.',
  reach: 'business',
  scope: 'meta:read',
  role: 'admin',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/keys/:key_id',
  input: { key_id: Type.String({ description: 'cnx_…' }) },
  output: Type.Object({}),

  async run({ business, now, write, origin }, { key_id }) {
    const id = parseId('connection', key_id)
    if (!id) throw noSuchKey(key_id)
    return write(async (tx) => {
      const entry = { businessId: business.id, action: 'key.revoke', subject: key_id, origin }
      await recordAudit(tx, [entry], now)
      if (await endKey(tx, business.id, { id, now })) return {}
      throw noSuchKey(key_id)
    })
  },
})

export const noSuchKey = (id: string) =>
  refuse('not_found', `The business has no API key ${id}. It may have been revoked already.`, {
    field: 'key_id',
  })
