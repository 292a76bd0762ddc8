/** The main use of the command line: `crier serve`, with `login`, `call` and the operator. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, type ClientConfig } from 'pg'
import { errorOf, Home, type RunningCrier } from '../../cli/tests/crier.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'

const email = newPerson('olga')
let home: Home
let service: RunningCrier
let drop: () => Promise<void>
let direct: ClientConfig

before(async () => {
  home = await Home.make()
  const database = await emptyDatabase()
  const { host, user, database: name } = database.connection
  drop = database.drop
  direct = database.connection
  const port = String(await freePort())
  Object.assign(home.env, {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${host}`,
    PORT: port,
    CRIER_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'silent',
  })
  service = home.start(['serve', '--role', 'all'])
  await service.says(/^crier is running/m)
})
after(async () => {
  service.signal('SIGKILL')
  await service.ended
  await drop()
  await home.remove()
})

async function json(...args: string[]) {
  const { code, stdout, stderr } = await home.run(args)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('a user signs in on the command line and calls a tool that reads real data', async () => {
  await json('businesses', 'create', '--name', 'Fennoway Yoga', '--owner', email)
  const login = home.start(['login', '--no-browser'])
  const [, url = ''] = await login.says(/^ {2}(http\S+)$/m)
  await approveAndReturn(url, { email, untick: ['messaging:send'] })
  const signedIn = JSON.parse((await login.ended).stdout)
  assert.ok(signedIn.scopes.includes('meta:read'))
  assert.ok(!signedIn.scopes.includes('messaging:send'))
  const { businesses } = await json('call', 'business.list')
  assert.deepEqual([businesses[0].name, businesses[0].role], ['Fennoway Yoga', 'owner'])
  const usage = await json('call', 'meta.usage', '--business', businesses[0].business_id)
  assert.equal(usage.business_id, businesses[0].business_id)
})

test('the operator lists the connection and revokes it, and the client must sign in again', async () => {
  const [connection] = await json('connections', 'list')
  assert.equal(connection.email, email)
  await json('connections', 'revoke', connection.connection_id, '--yes')
  const ended = await home.run(['whoami'])
  assert.equal(ended.code, 3)
  assert.equal(errorOf(ended)['code'], 'invalid_grant')
})

test('the operator sees, resets and accepts the second factors of a user', async () => {
  const database = new Client(direct)
  await database.connect()
  try {
    await database.query(
      `insert into authenticator_apps (user_id, secret, added_at)
       select id, '\\x00', now() from users where email = $1`,
      [email],
    )
    const waits = "update users set factor_waits_until = now() + interval '1 day' where email = $1"
    await database.query(waits, [email])
    const before = await json('users', 'factors', email)
    assert.deepEqual([before.email, before.authenticator_app, before.passkeys], [email, true, 0])
    assert.ok(before.counts_from)
    assert.equal((await json('users', 'factors', email, '--accept')).counts_from, null)
    assert.equal((await json('users', 'factors', email, '--reset')).authenticator_app, false)
    assert.equal((await json('users', 'factors', email)).authenticator_app, false)
    const unknown = await home.run(['users', 'factors', newPerson()])
    assert.notEqual(unknown.code, 0)
    assert.equal(errorOf(unknown)['code'], 'not_found')
  } finally {
    await database.end()
  }
})

test('doctor finds the running service, and SIGTERM stops it cleanly', async () => {
  const { findings } = JSON.parse((await home.run(['doctor'])).stdout)
  const port = findings.find((finding: { check: string }) => finding.check === 'port')
  assert.match(port.text, /a service answers/)
  service.signal('SIGTERM')
  assert.equal((await service.ended).code, 0)
})
