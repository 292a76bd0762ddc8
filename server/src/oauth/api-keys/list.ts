import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { orderedOf } from '../../usage/connection-limit.ts'
import { keyLimits } from './api-key.ts'
import { selectKeys } from './key-queries.ts'
import { keyView, viewOfKey } from './key-view.ts'

export const keyList = operation({
  name: 'key.list',
  title: 'List API keys',
  summary:
    'The API keys of a business that were not revoked, newest first; never the keys themselves.',
  reach: 'business',
  scope: 'meta:read',
  role: 'admin',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/keys',
  input: {},
  output: Type.Object({ keys: Type.Array(keyView) }),

  async run({ db, business, principal: { userId }, now }) {
    const keys = await selectKeys(db, business.id, keyLimits.perBusiness)
    const connections = keys.map(({ id }) => id)
    const ordered = await orderedOf(db, business.id, { connections, now })
    return { keys: keys.map((key) => viewOfKey(key, { ordered: ordered.get(key.id), userId })) }
  },
})
