import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { noSuchConnection, revokeOwnConnection } from './connections.ts'

export const connectionRevoke = operation({
  name: 'connection.revoke',
  title: 'Revoke a connection',
  summary:
    'Revokes a connection of the person at once, in all businesses: its next call is refused. The app is not notified.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/connections/:connection_id',
  input: { connection_id: Type.String({ description: 'cnx_…' }) },
  output: Type.Object({}),

  async run({ principal, origin, now, write }, { connection_id }) {
    const id = parseId('connection', connection_id)
    if (!id) throw noSuchConnection(connection_id)
    const own = { connectionId: id, userId: principal.userId, origin, now }
    return write(async (tx) =>
      (await revokeOwnConnection(tx, own)) ? {} : noSuchConnection(connection_id),
    )
  },
})
