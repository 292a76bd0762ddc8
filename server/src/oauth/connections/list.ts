import { formatId, type Id } from '../../core/ids.ts'
import { operation, scopes } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { untrusted } from '../../core/untrusted.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { type Ordered, orderedOf } from '../../usage/connection-limit.ts'
import type { ConnectionSummary } from './connection.ts'
import { listConnections } from './connections.ts'
import { limitFields, sights } from './limits-view.ts'

export const connectionList = operation({
  name: 'connection.list',
  title: 'List connections',
  summary:
    'The apps that can act for the person, newest first, in all businesses they have access to.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/connections',
  input: pageInput,
  output: Type.Object({
    connections: Type.Array(
      Type.Object({
        connection_id: Type.String(),
        untrusted: untrusted({ name: Type.String() }),
        redirect_host: Type.String({ description: 'Where the app receives its codes.' }),
        scopes: Type.Array(Type.Enum(scopes)),
        ...limitFields,
        recipients_per_day: Type.Union([Type.Integer(), Type.Null()], {
          description: 'In each of its businesses; null if it has no limit of its own.',
        }),
        sees: Type.Enum(sights, {
          description: 'How it sees addresses and numbers at the tool endpoint.',
        }),
        takes_data_out: Type.Boolean({
          description: 'Whether it may export, send events to new hosts and remove domains.',
        }),
        businesses: Type.Array(Type.Object({ business_id: Type.String(), name: Type.String() })),
        created_at: Type.String(),
        last_used_at: Type.Union([Type.String(), Type.Null()]),
        late_reuses: reuses('Times that an old refresh token was used long after its replacement.'),
        code_reuses: reuses('Times that the code which made the connection was sent again.'),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run({ db, principal, now }, paging) {
    const page = pageOf('connection', paging)
    const rows = await listConnections(db, principal.userId, { ...page, now })
    const { shown, next } = pageFrom('connection', rows, page, (row) => viewOf(row, noneOrdered))
    const ordered = await orderedBy(db, shown, now)
    return {
      connections: shown.map((row) => viewOf(row, ordered.get(row.id) ?? noneOrdered)),
      ...next,
    }
  },
})

function reuses(description: string) {
  return Type.Object(
    { times: Type.Integer(), last_at: Type.Union([Type.String(), Type.Null()]) },
    { description },
  )
}

/** What connections with a limit ordered in the last day, in all businesses that they reach. */
async function orderedBy(db: Db, all: readonly ConnectionSummary[], now: Date) {
  const limited = all.filter(
    ({ recipientsPerDay, transactionalPerDay }) =>
      recipientsPerDay !== null || transactionalPerDay !== null,
  )
  const reached = limited.flatMap(({ id, businesses }) =>
    businesses.map((business) => ({ id, businessId: business.id })),
  )
  const sums = new Map<Id<'connection'>, Ordered>()
  for (const [businessId, pairs] of Map.groupBy(reached, (pair) => pair.businessId)) {
    const connections = pairs.map(({ id }) => id)
    for (const [id, amount] of await orderedOf(db, businessId, { connections, now })) {
      const { every, transactional } = sums.get(id) ?? noneOrdered
      sums.set(id, {
        every: every + amount.every,
        transactional: transactional + amount.transactional,
      })
    }
  }
  return sums
}

const noneOrdered: Ordered = { every: 0, transactional: 0 }

function viewOf(row: ConnectionSummary, ordered: Ordered) {
  return {
    connection_id: formatId('connection', row.id),
    untrusted: { name: row.clientName },
    redirect_host: row.redirectHost,
    scopes: row.scopes,
    withheld_scopes: row.withheldScopes,
    recipients_per_day: row.recipientsPerDay,
    recipients_last_day: ordered.every,
    transactional_per_day: row.transactionalPerDay,
    transactional_last_day: ordered.transactional,
    sees: row.seesMasked ? ('masked' as const) : ('full' as const),
    takes_data_out: row.takesDataOut,
    businesses: row.businesses.map(({ id, name }) => ({
      business_id: formatId('business', id),
      name,
    })),
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    late_reuses: { times: row.lateReuses, last_at: row.lastLateReuseAt?.toISOString() ?? null },
    code_reuses: { times: row.codeReuses, last_at: row.lastCodeReuseAt?.toISOString() ?? null },
  }
}
