import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { callsField } from '../connections/limits-view.ts'
import { callsOf } from '../connections/recent-use.ts'
import { isKeyOf } from './key-queries.ts'
import { noSuchKey } from './revoke.ts'

export const keyActivity = operation({
  name: 'key.activity',
  title: 'What an API key did last',
  summary: 'The latest calls of an API key, with their outcomes.',
  reach: 'business',
  scope: 'meta:read',
  role: 'admin',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/keys/:key_id/activity',
  input: { key_id: Type.String({ description: 'cnx_…' }) },
  output: Type.Object({ calls: callsField }),

  async run({ db, business, now }, { key_id }) {
    const id = parseId('connection', key_id)
    if (!id || !(await isKeyOf(db, business.id, id))) throw noSuchKey(key_id)
    return { calls: await callsOf(db, id, now) }
  },
})
