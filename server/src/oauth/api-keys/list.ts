import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
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

  async run({ db, business }) {
    const keys = await selectKeys(db, business.id, keyLimits.perBusiness)
    return { keys: keys.map(viewOfKey) }
  },
})
