/** Who may call what: each role and each scope with each operation, from one table. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Id } from 'crier-server/core/ids.ts'
import { roles, scopes } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { revokeConnection } from 'crier-server/oauth/connections/connections.ts'
import type { GrantOptions } from '../support/clients/grants.ts'
import type { EntryCaller } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { catalog, entryPoints, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let own: Belongings

before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha')
})
after(() => testbed.close())

for (const [how, role] of bothWays(roles)) {
  test(`a user with the role ${role} may do exactly what the table allows, ${how}`, async () => {
    const caller = await callerBy(how, { businesses: [own.id], role })
    for (const { name } of catalog) {
      const line = lines[name]
      assert.ok(line, `${name} has no line in the table`)
      const may = roles.indexOf(role) >= roles.indexOf(line.role)
      const before = await fingerprint(testbed.db)
      const { business_id } = own
      const { status, kind, body } = await caller.call(name, { business_id, ...line.sample(own) })
      if (may) {
        assert.equal(kind, 'answer', `${name}: ${JSON.stringify(body)}`)
        continue
      }
      assert.deepEqual([status, body['code'], body['role']], [403, 'role_required', line.role])
      assert.deepEqual(await fingerprint(testbed.db), before)
    }
  })
}

for (const [how, scope] of bothWays(scopes)) {
  test(`a connection with the scope ${scope} may do exactly what the table allows, ${how}`, async () => {
    const caller = await callerBy(how, { businesses: [own.id], scopes: ['meta:read', scope] })
    for (const { name } of catalog) {
      const line = lines[name]
      assert.ok(line, `${name} has no line in the table`)
      const may = line.scope === 'meta:read' || line.scope === scope
      const before = await fingerprint(testbed.db)
      const { status, kind, body, headers } = await caller.call(name, line.sample(own))
      if (may) {
        assert.equal(kind, 'answer', `${name}: ${JSON.stringify(body)}`)
        continue
      }
      assert.deepEqual([status, body['code'], body['scope']], [403, 'scope_required', line.scope])
      assert.match(headers.get('www-authenticate') ?? '', new RegExp(`scope="[^"]*${line.scope}`))
      assert.deepEqual(await fingerprint(testbed.db), before)
    }
  })
}

for (const how of Object.keys(entryPoints)) {
  test(`a caller whose connection was revoked may call nothing ${how}`, async () => {
    const caller = await callerBy(how, { businesses: [own.id] })
    await caller.get('business.list')
    await endConnections()
    for (const { name } of catalog) {
      const { status, body, headers } = await caller.call(name, lines[name]?.sample(own))
      assert.deepEqual([status, body['code']], [401, 'unauthorized'], name)
      assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    }
  })
}

async function endConnections(): Promise<void> {
  const connections = await testbed.db.all<{ id: Id<'connection'> }>(
    sql`select id from connections`,
  )
  for (const { id } of connections) {
    await revokeConnection(testbed.db, { connectionId: id, by: 'user', now: new Date() })
  }
}

function bothWays<T>(values: readonly T[]): [how: string, value: T][] {
  return Object.keys(entryPoints).flatMap((how) => values.map((value): [string, T] => [how, value]))
}

async function callerBy(how: string, grant: GrantOptions): Promise<EntryCaller> {
  const enter = entryPoints[how]
  assert.ok(enter)
  return enter(testbed, grant)
}
