import { formatId, type Id } from '../core/ids.ts'
import { type Context, operation, roles, scopes, tiers } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'

const connectionKinds = ['app', 'api_key'] as const

/** Who calls: the first thing that a program asks to see whether its token works. */
export const me = operation({
  name: 'meta.me',
  title: 'Who calls',
  area: 'business',
  summary:
    'Who calls: the person, unless it is an API key, the connection, its businesses and scopes.',
  reach: 'connection',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/me',
  input: {},
  output: Type.Object({
    person: Type.Union([
      Type.Object({ user_id: Type.String(), email: Type.String() }),
      Type.Null(),
    ]),
    connection: Type.Union([
      Type.Object({
        connection_id: Type.String(),
        kind: Type.Enum(connectionKinds),
        // An app chooses its own.
        untrusted: untrusted({ name: Type.Union([Type.String(), Type.Null()]) }),
        test: Type.Boolean(),
        created_at: Type.String({ description: 'ISO 8601, UTC.' }),
      }),
      Type.Null(),
    ]),
    businesses: Type.Array(
      Type.Object({
        business_id: Type.String(),
        name: Type.String(),
        tier: Type.Enum(tiers),
        role: Type.Enum(roles),
      }),
    ),
    scopes: Type.Array(Type.Enum(scopes)),
  }),

  async run(context, { business_id: chosen }) {
    const { principal } = context
    const businesses = principal.businesses.map(({ id, name, tier, role }) => {
      return { business_id: formatId('business', id), name, tier, role }
    })
    return {
      person: principal.isApiKey ? null : await personOf(context),
      connection: principal.connectionId && (await connectionOf(context, principal.connectionId)),
      businesses: businesses.filter(({ business_id }) => !chosen || business_id === chosen),
      scopes: scopes.filter((scope) => principal.scopes.has(scope)),
    }
  },
})

async function personOf({ db, principal }: Context) {
  const { userId } = principal
  const { email } = await db.one<{ email: string }>(sql`
    select email from users where id = ${userId}
  `)
  return { user_id: formatId('user', userId), email }
}

async function connectionOf({ db, principal }: Context, id: Id<'connection'>) {
  const connection = await db.one<{ name: string | null; createdAt: Date }>(sql`
    select coalesce(k.name, client.name) as name, c.created_at as "createdAt"
    from connections c
    left join oauth_clients client on client.id = c.client_id
    left join api_keys k on k.business_id = any (c.business_ids) and k.id = c.id
    where c.id = ${id}
  `)
  return {
    connection_id: formatId('connection', id),
    kind: principal.isApiKey ? ('api_key' as const) : ('app' as const),
    untrusted: { name: connection.name },
    test: principal.isTest === true,
    created_at: connection.createdAt.toISOString(),
  }
}
