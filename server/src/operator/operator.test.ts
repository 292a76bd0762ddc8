import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { secretOf } from '../config/installation-secret.ts'
import { readConfig } from '../config.ts'
import { formatId, newId, parseId } from '../core/ids.ts'
import { openVault } from '../core/installation/root-key.ts'
import { installationSecret } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import { type Operator, operatorOver } from './operator.ts'

let database: TestDatabase
let world: World
let operator: Operator

before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
  const settings = { DNS_ZONE: 'mail.operator.test', BOUNCE_DOMAIN: 'bounce.operator.test' }
  const config = { ...readConfig(settings), defaultTier: 'growth' as const }
  operator = operatorOver({
    db: database.db,
    clock: world.clock,
    config: { ...config, allowedRedirects: ['https://set.example/cb'] },
  })
})
after(() => database.drop())

const owner = 'Olga@Example.com'
const create = (name: string) => operator.createBusiness({ name, owner })

test('a business is created with its owner, at the default tier or at the named one', async () => {
  const made = await create('Brindlequay')
  assert.match(String(made['business_id']), /^bus_/)
  assert.deepEqual(
    { ...made, business_id: '' },
    { business_id: '', name: 'Brindlequay', tier: 'growth', owner: 'olga@example.com' },
  )
  await operator.createBusiness({ name: 'Second', owner, tier: 'free' })
  const rows = await operator.listBusinesses()
  assert.deepEqual(
    rows.map(({ name, tier, members }) => [name, tier, members]),
    [
      ['Brindlequay', 'growth', 1],
      ['Second', 'free', 1],
    ],
  )
})

test('programs of a new business send nothing without approval, unless the operator says how many', async () => {
  const limitOf = async (made: Record<string, unknown>) => {
    const id = parseId('business', String(made['business_id']))
    const [row] = await database.db.all<{ limit: number | null }>(sql`
      select deploy_limit as limit from businesses where id = ${id}
    `)
    return row?.limit
  }
  assert.equal(await limitOf(await create('Careful')), 0)
  const named = (deployLimit: string) =>
    operator.createBusiness({ name: 'Trusting', owner, deployLimit })
  assert.equal(await limitOf(await named('500')), 500)
  assert.equal(await limitOf(await named('none')), null)
  await assert.rejects(named('many'), { code: 'invalid_request' })
})

test('each fault of a new business is reported, and nothing is created', async () => {
  const before = await operator.listBusinesses()
  const wrong = [
    { name: ' ', owner },
    { name: 'x', owner: 'nobody' },
    { name: 'x', owner, tier: 'gold' },
  ]
  for (const wanted of wrong) {
    await assert.rejects(operator.createBusiness(wanted), { code: 'invalid_request' })
  }
  assert.deepEqual(await operator.listBusinesses(), before)
})

test('all sending of one business is stopped and resumed, as by its button', async () => {
  const { business_id: id } = await create('Stoppable')
  const stop = await operator.stops.hold(String(id), { withMessages: true })
  assert.deepEqual(
    [stop['sending'], stop['with_messages'], stop['campaigns']],
    ['stopped', true, 0],
  )
  const stops = () =>
    database.db.all(sql`
      select with_messages, stopped_by from sending_stops
      where business_id = ${parseId('business', String(id)) ?? null}
    `)
  assert.deepEqual(await stops(), [{ with_messages: true, stopped_by: null }])
  assert.equal((await operator.stops.start(String(id)))['sending'], 'resumed')
  assert.deepEqual(await stops(), [])
  const nobody = formatId('business', newId('business'))
  await assert.rejects(operator.stops.hold(nobody, {}), /There is no business/)
})

test('a setting is changed by its key, and an unknown business or key is refused', async () => {
  const { business_id: id } = await create('Third')
  const changed = await operator.setBusiness(String(id), 'tier', 'scale')
  assert.deepEqual(changed, { business_id: id, tier: 'scale' })
  await assert.rejects(operator.setBusiness(String(id), 'weather', 'fine'), /these settings/)
  const relay = operator.setBusiness(String(id), 'relay_marketing', 'ses')
  await assert.rejects(relay, /relay_marketing must be the name of a relay .*RELAYS is not set/)
  await operator.setBusiness(String(id), 'relay_marketing', 'default')
  await assert.rejects(operator.setBusiness('bus_x', 'tier', 'free'), /not the id of a business/)
  const nobody = `bus_${'0'.repeat(26)}`
  await assert.rejects(operator.setBusiness(nobody, 'tier', 'free'), { code: 'not_found' })
})

test('a person is added with a role, and the last owner cannot be demoted', async () => {
  const { business_id: id } = await create('Fourth')
  const business = String(id)
  const added = await operator.addUser({ email: 'Ana@Example.com', business, role: 'editor' })
  assert.deepEqual(added, { email: 'ana@example.com', business_id: business, role: 'editor' })
  await assert.rejects(operator.addUser({ email: 'b@example.com', business, role: 'boss' }), {
    code: 'invalid_request',
  })
  await assert.rejects(operator.addUser({ email: owner, business, role: 'viewer' }), {
    code: 'conflict',
  })
})

test('a connection is listed until it is revoked, and then its refresh fails', async () => {
  const tokens = await world.connect()
  const [connection] = await operator.listConnections()
  assert.equal(connection?.['client'], 'Test client')
  assert.deepEqual(connection['scopes'], tokens.scope.split(' '))
  const id = String(connection['connection_id'])
  assert.deepEqual(await operator.revokeConnection(id), { connection_id: id, revoked: true })
  assert.deepEqual(await operator.listConnections(), [])
  assert.equal((await world.refresh(tokens.client_id, tokens.refresh_token)).status, 400)
  await assert.rejects(operator.revokeConnection(id), { code: 'not_found' })
})

test('an allowed redirect lets a client register at once, and both are listed', async () => {
  const uri = 'https://app.example/callback'
  await assert.rejects(world.client(uri), /invalid_redirect_uri/)
  assert.deepEqual(await operator.allowRedirect(uri), { uri, allowed: true })
  await operator.allowRedirect(uri)
  const clientId = await world.client(uri)
  const { allowed, clients } = await operator.listClients()
  const ours = allowed.filter(({ source }) => source !== 'built in')
  assert.deepEqual(ours, [
    { uri: 'https://set.example/cb', source: 'ALLOWED_REDIRECTS' },
    { uri, source: 'crier clients allow' },
  ])
  const client = clients.find(({ id }) => id === clientId)
  assert.deepEqual(client?.['redirect_uris'], [uri])
  assert.equal(client['connections'], 0)
  await assert.rejects(operator.allowRedirect('http://app.example/cb'), {
    code: 'invalid_redirect_uri',
  })
})

test('the secret is changed while a service runs, and data sealed and hashed with it stays readable', async (t) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crier-secret-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const { db, drop } = await testDatabase()
  t.after(drop)
  const { clock } = world
  const config = { ...readConfig({}), dataDir }
  const before = await openVault(db, secretOf(config), clock.now())
  const sealed = before.seal('x', Buffer.from('word'))
  const first = installationSecret(dataDir)
  const rotated = await operatorOver({ db, config, clock }).rotateSecret()
  assert.equal(rotated['rotated'], path.join(dataDir, 'secret'))
  assert.notEqual(installationSecret(dataDir), first)
  const after = await openVault(db, secretOf(config), clock.now())
  assert.equal(after.open('x', sealed).toString(), 'word')
  await assert.rejects(openVault(db, first, clock.now()), { name: 'StartError' })

  // With a secret in the environment, the operator brings the new one to each node while both work.
  const named = { ...config, secret: installationSecret(dataDir) }
  const { new_secret: next } = await operatorOver({ db, config: named, clock }).rotateSecret()
  const moved = { ...config, secret: String(next) }
  for (const one of [named, moved]) await openVault(db, secretOf(one), clock.now())
  const finished = await operatorOver({ db, config: moved, clock }).finishSecret()
  assert.deepEqual(finished, { ended: 1 })
  await assert.rejects(openVault(db, secretOf(named), clock.now()), { name: 'StartError' })
})

test('the operator’s zone for customer domains is printed as lines of a zone file', async () => {
  const zone = await operator.printZone()
  assert.match(zone, /^send\.mail\.operator\.test\. 3600 IN MX 10 bounce\.operator\.test\.$/m)
  assert.match(zone, /^send\.mail\.operator\.test\. 3600 IN TXT "v=spf1 a:bounce\S+ ~all"$/m)
  await assert.rejects(operator.changeKey('shop.example'), /No business has verified/)
})
