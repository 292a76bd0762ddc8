import { type Refusal, refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { narrowOwnConnection, noSuchConnection } from './connections.ts'

/** The most businesses that a call names. */
const mostBusinesses = 500

export const connectionSave = operation({
  name: 'connection.save',
  title: 'Limit a connection',
  summary:
    'Takes rights away from a connection of the person, at once: all but reading, or some of its businesses. Only the app itself can ask for more.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'PATCH /v1/connections/:connection_id',
  input: {
    connection_id: Type.String({ description: 'cnx_…' }),
    read_only: Type.Optional(Type.Boolean({ description: 'true, or not at all.' })),
    business_ids: Type.Optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        minItems: 1,
        maxItems: mostBusinesses,
        uniqueItems: true,
        description: 'Those that it keeps.',
      }),
    ),
  },
  output: Type.Object({ connection_id: Type.String() }),

  async run({ principal, origin, now, write }, { connection_id, read_only, business_ids }) {
    const connectionId = parseId('connection', connection_id)
    if (!connectionId) return noSuchConnection(connection_id)
    if (read_only === false) return onlyLess()
    if (read_only === undefined && business_ids === undefined) return nothingNamed()
    const { userId } = principal
    const isReadOnly = read_only === true
    const kept = business_ids?.flatMap((id) => parseId('business', id) ?? [])
    if (kept?.length !== business_ids?.length) return notReached()
    return write(async (tx) => {
      const asked = { connectionId, userId, isReadOnly, kept, origin, now }
      const outcome = await narrowOwnConnection(tx, asked)
      if (outcome === 'unknown') return noSuchConnection(connection_id)
      return outcome === 'not_reached' ? notReached() : { connection_id }
    })
  },
})

function onlyLess(): Refusal {
  const text =
    'A connection is only ever limited here. To give the app more, connect it again, and it asks.'
  return refuse('invalid_request', text, { field: 'read_only' })
}

const nothingNamed = () =>
  refuse('invalid_request', 'Name what it keeps: read_only: true, business_ids, or both.', {
    field: 'read_only',
  })

const notReached = () =>
  refuse('invalid_request', 'business_ids names a business that the connection does not reach.', {
    field: 'business_ids',
  })
