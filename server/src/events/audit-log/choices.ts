import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { connectionView, personView, viewOfConnection } from './entry.ts'

/** The most people, connections and operations that are offered to choose from. */
const mostChoices = 200

export const auditChoices = operation({
  name: 'audit.choices',
  title: 'What the audit log can be filtered by',
  summary: 'The people, connections and operations that occur in the audit log.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/audit/choices',
  input: {},
  output: Type.Object({
    people: Type.Array(personView),
    connections: Type.Array(connectionView),
    operations: Type.Array(Type.String()),
  }),

  async run({ db, business }) {
    const log = await import('./entry.ts')
    const [people, connections, operations] = await Promise.all([
      log.selectPeople(db, business.id, mostChoices),
      log.selectConnections(db, business.id, mostChoices),
      log.selectOperations(db, business.id, mostChoices),
    ])
    return {
      people: people.map(({ userId, email }) => ({ user_id: formatId('user', userId), email })),
      connections: connections.flatMap((connection) => viewOfConnection(connection) ?? []),
      operations,
    }
  },
})
