import { isRefusal } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { operation, scopes } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { untrusted } from '../../core/untrusted.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { ConnectionSummary } from './connection.ts'
import { listConnections } from './connections.ts'

export const connectionList = operation({
  name: 'connection.list',
  title: 'List connections',
  summary: 'The apps that may act for the person, newest first, in all businesses that they reach.',
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
        businesses: Type.Array(Type.Object({ business_id: Type.String(), name: Type.String() })),
        created_at: Type.String(),
        last_used_at: Type.Union([Type.String(), Type.Null()]),
        late_reuses: reuses('Times that an old refresh token was used long after its replacement.'),
        code_reuses: reuses('Times that the code which made the connection was sent again.'),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run({ db, principal, now }, asked) {
    const page = pageOf('connection', asked)
    if (isRefusal(page)) return page
    const rows = await listConnections(db, principal.userId, { ...page, now })
    const { shown, next } = pageFrom('connection', rows, page, viewOf)
    return { connections: shown.map(viewOf), ...next }
  },
})

function reuses(description: string) {
  return Type.Object(
    { times: Type.Integer(), last_at: Type.Union([Type.String(), Type.Null()]) },
    { description },
  )
}

function viewOf(one: ConnectionSummary) {
  return {
    connection_id: formatId('connection', one.id),
    untrusted: { name: one.clientName },
    redirect_host: one.redirectHost,
    scopes: one.scopes,
    businesses: one.businesses.map(({ id, name }) => ({
      business_id: formatId('business', id),
      name,
    })),
    created_at: one.createdAt.toISOString(),
    last_used_at: one.lastUsedAt?.toISOString() ?? null,
    late_reuses: { times: one.lateReuses, last_at: one.lastLateReuseAt?.toISOString() ?? null },
    code_reuses: { times: one.codeReuses, last_at: one.lastCodeReuseAt?.toISOString() ?? null },
  }
}
