import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { browserOf } from '../../lib/text/browser-name.ts'
import { listSessions } from './session.ts'

export const sessionList = operation({
  name: 'session.list',
  title: 'List sessions',
  summary: 'The browsers in which the person is signed in, most recently used first.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sessions',
  input: {},
  output: Type.Object({
    sessions: Type.Array(
      Type.Object({
        session_id: Type.String(),
        is_this: Type.Boolean({ description: 'The session that makes this call.' }),
        browser: Type.Union([Type.String(), Type.Null()]),
        system: Type.Union([Type.String(), Type.Null()]),
        address: Type.Union([Type.String(), Type.Null()]),
        country: Type.Union([Type.String(), Type.Null()], {
          description: 'Of that network, as the proxy named it (ISO 3166-1).',
        }),
        signed_in_at: Type.String(),
        last_used_at: Type.String({ description: 'To within an hour.' }),
        passkey_used_at: Type.Union([Type.String(), Type.Null()], {
          description: 'When the person last used a passkey in it.',
        }),
      }),
    ),
  }),

  async run({ db, principal, now }) {
    const rows = await listSessions(db, principal.userId, now)
    const sessions = rows.map(
      ({ id, agent, address, country = null, createdAt, lastUsedAt, provenAt }) => ({
        session_id: formatId('session', id),
        is_this: id === principal.sessionId,
        ...browserOf(agent ?? ''),
        address,
        country,
        signed_in_at: createdAt.toISOString(),
        last_used_at: lastUsedAt.toISOString(),
        passkey_used_at: provenAt?.toISOString() ?? null,
      }),
    )
    return { sessions }
  },
})
