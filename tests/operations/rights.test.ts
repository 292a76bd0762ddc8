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

const names = catalog.map(({ name }) => name)

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
    const { business_id } = own
    const call = (name: string) => caller.call(name, { business_id, ...lineOf(name).sample(own) })
    const may = (name: string) => roles.indexOf(role) >= roles.indexOf(lineOf(name).role)
    await forbiddenChangeNothing(async () => {
      for (const name of names.filter((candidate) => !may(candidate))) {
        const { status, body } = await call(name)
        const refusedWith = how === 'as a tool' ? 200 : 403
        const wanted = [refusedWith, 'role_required', lineOf(name).role]
        assert.deepEqual([status, body['code'], body['role']], wanted, name)
      }
    })
    for (const name of names.filter(may)) {
      const { kind, body } = await call(name)
      assert.equal(kind, 'answer', `${name}: ${JSON.stringify(body)}`)
    }
  })
}

for (const [how, scope] of bothWays(scopes)) {
  test(`a connection with the scope ${scope} may do exactly what the table allows, ${how}`, async () => {
    const caller = await callerBy(how, { businesses: [own.id], scopes: ['meta:read', scope] })
    const call = (name: string) => caller.call(name, lineOf(name).sample(own))
    const may = (name: string) => ['meta:read', scope].includes(lineOf(name).scope)
    await forbiddenChangeNothing(async () => {
      for (const name of names.filter((candidate) => !may(candidate))) {
        const { status, body, headers } = await call(name)
        const wanted = lineOf(name).scope
        assert.deepEqual([status, body['code'], body['scope']], [403, 'scope_required', wanted])
        assert.match(headers.get('www-authenticate') ?? '', new RegExp(`scope="[^"]*${wanted}`))
      }
    })
    for (const name of names.filter(may)) {
      const { kind, body } = await call(name)
      assert.equal(kind, 'answer', `${name}: ${JSON.stringify(body)}`)
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

function lineOf(name: string) {
  const line = lines[name]
  assert.ok(line, `${name} has no line in the table`)
  return line
}

/** All of them together: to hash every row after each call was most of the time of this file. */
async function forbiddenChangeNothing(calls: () => Promise<void>): Promise<void> {
  const before = await fingerprint(testbed.db)
  await calls()
  assert.deepEqual(await fingerprint(testbed.db), before)
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

test('a connection that may not take data out gets the page where a person does it, at both entry points', async () => {
  const grant = { businesses: [own.id], takesDataOut: false }
  const tool = await testbed.caller(grant)
  const rest = await testbed.restCaller(grant)
  const to = `${own.word}@example.com`
  const mail = { to, subject: 'Hello', text: 'Hello' }
  const foreign = 'drop@grab.example'
  const refused: [string, object][] = [
    ['export.create', { kind: 'contacts' }],
    ['contact.export', { contact_id: own.contact_id }],
    ['domain.remove', { domain: `${own.word}.example` }],
    ['email.send', { ...mail, cc: [foreign] }],
    ['email.send', { ...mail, bcc: [foreign] }],
    ['email.send', { ...mail, reply_to: foreign }],
    ['business.save', { reply_to: foreign }],
  ]
  await forbiddenChangeNothing(async () => {
    for (const [name, input] of refused) {
      for (const caller of [tool, rest]) {
        const { body } = await caller.call(name, input)
        assert.deepEqual([body['code'], body['permission']], ['access_denied', 'takes_data_out'])
        assert.match((body['fix'] as { url: string }).url, new RegExp(`/b/${own.business_id}/`))
      }
    }
  })
  const events = ['usage.threshold']
  const elsewhere = { url: 'https://1.0.0.1/in', events }
  assert.equal((await tool.call('webhook.save', elsewhere)).body['code'], 'access_denied')
  await rest.get('webhook.save', elsewhere)
  await tool.get('webhook.save', { url: 'https://1.0.0.1/other', events })
})
