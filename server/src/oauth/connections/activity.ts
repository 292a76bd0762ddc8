import { refuse } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recentOf } from '../../events/audit-log/recent.ts'
import { Type } from '../../lib/schema/schema.ts'
import { reachedBy } from './connections.ts'
import { callsField } from './limits-view.ts'
import { callsOf } from './recent-use.ts'

/** How many of the latest entries are shown. */
const mostEntries = 10

export const connectionActivity = operation({
  name: 'connection.activity',
  title: 'What a connection did last',
  summary:
    'The latest calls of a connection of the person, with their outcomes, and the latest entries of the audit log that came through it.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/connections/:connection_id/activity',
  input: { connection_id: Type.String({ description: 'cnx_…' }) },
  output: Type.Object({
    calls: callsField,
    entries: Type.Array(
      Type.Object({
        entry_id: Type.String(),
        created_at: Type.String(),
        business_id: Type.String(),
        operation: Type.String(),
        subject: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  }),

  async run({ db, principal, now }, { connection_id }) {
    const id = parseId('connection', connection_id)
    // A business that holds the person is none of theirs, and of it nothing is shown.
    const open = new Set(principal.businesses.map((business) => business.id))
    const reached = id ? await reachedBy(db, id, principal.userId) : []
    const businesses = reached.filter((businessId) => open.has(businessId))
    if (!id || businesses.length === 0) {
      const text = `You have no connection ${connection_id} that reaches a business.`
      throw refuse('not_found', text, { field: 'connection_id' })
    }
    const entries = await recentOf(db, { connectionId: id, businesses, limit: mostEntries })
    return {
      calls: await callsOf(db, id, now),
      entries: entries.map((entry) => ({
        entry_id: formatId('audit', entry.id),
        created_at: entry.createdAt.toISOString(),
        business_id: formatId('business', entry.businessId),
        operation: entry.action,
        subject: entry.subject,
      })),
    }
  },
})
