/** The operator's commands, run as the real program on a test database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { settingKeys } from 'crier-server/accounts/settings/settings.ts'
import { emptyDatabase } from '../../tests/support/postgres/database.ts'
import { errorOf, Home } from './crier.ts'

let home: Home
let drop: () => Promise<void>

before(async () => {
  home = await Home.make()
  const database = await emptyDatabase()
  const { host, user, database: name } = database.connection
  drop = database.drop
  home.env['DATABASE_URL'] = `postgres://${user}@localhost/${name}?host=${host}`
})
after(async () => {
  await drop()
  await home.remove()
})

/** Returns the command's machine-readable output. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await home.run(args)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('migrate applies the missing migrations, and a second run applies nothing', async () => {
  assert.ok((await json('migrate')).applied.includes('0001_foundation.sql'))
  assert.deepEqual(await json('migrate'), { applied: [] })
})

test('setup-link prints the same link again while there is no user', async () => {
  // This test comes first, because the tests below create users.
  const { url } = await json('setup-link')
  assert.match(url, /^http:\/\/localhost:8080\/setup\/[\w-]{43}$/)
  assert.equal((await json('setup-link')).url, url)
})

test('operator commands create, change and list businesses and users', async () => {
  const owner = 'olga@example.com'
  const made = await json('businesses', 'create', '--name', 'Fennoway Yoga', '--owner', owner)
  const id = made.business_id
  assert.equal(made.tier, 'scale')
  const added = await json('users', 'add', 'ana@example.com', '--business', id, '--role', 'editor')
  assert.deepEqual(added, { email: 'ana@example.com', business_id: id, role: 'editor' })
  await json('businesses', 'set', id, 'time_zone', 'Europe/Paris')
  const [row] = await json('businesses', 'list')
  assert.deepEqual([row.name, row.members], ['Fennoway Yoga', 2])
})

test('users list shows the users, and users link gives a sign-in link to a locked-out user', async () => {
  await json('businesses', 'create', '--name', 'South Yoga', '--owner', 'uma@example.com')
  const users = await json('users', 'list')
  const uma = users.find((user: { email: string }) => user.email === 'uma@example.com')
  assert.equal(uma.businesses, 1)
  const { url, expires_at } = await json('users', 'link', 'Uma@Example.com')
  assert.match(url, /^http:\/\/localhost:8080\/sign-in\/[\w-]{43}$/)
  assert.ok(Date.parse(expires_at) > Date.now())
  const nobody = await home.run(['users', 'link', 'nobody@example.com'])
  assert.deepEqual([nobody.code, errorOf(nobody)['code']], [5, 'not_found'])
  const over = await home.run(['setup-link'])
  assert.equal(over.code, 6)
})

test('the help of businesses set names every setting that it takes', async () => {
  const { stdout } = await home.run(['businesses', 'set', '--help'])
  for (const key of settingKeys) assert.match(stdout, new RegExp(`\\b${key}\\b`), key)
})

test('jobs list shows the dead jobs, and jobs release is refused where no job is dead', async () => {
  assert.deepEqual(await json('jobs', 'list'), [])
  const missing = await home.run(['jobs', 'release', 'message.email'])
  assert.deepEqual([missing.code, errorOf(missing)['code']], [5, 'not_found'])
})

test('operator commands allow and list redirects, list connections and revoke a connection', async () => {
  const uri = 'https://app.example/callback'
  assert.deepEqual(await json('clients', 'allow', uri), { uri, allowed: true })
  const { allowed } = await json('clients', 'list')
  assert.ok(allowed.some((rule: { uri: string }) => rule.uri === uri))
  assert.deepEqual(await json('connections', 'list'), [])
  const missing = await home.run(['connections', 'revoke', `cnx_${'0'.repeat(26)}`, '--yes'])
  assert.deepEqual([missing.code, errorOf(missing)['code']], [5, 'not_found'])
})

test('a refused operator command says why, and names an invalid setting or database', async () => {
  const wrong = await home.run(['businesses', 'create', '--name', 'x', '--owner', 'nobody'])
  assert.equal(wrong.code, 6)
  assert.equal(errorOf(wrong)['field'], 'email')
  const settings = { ...home.env }
  home.env['SIGNUP'] = 'maybe'
  const bad = await home.run(['businesses', 'list'])
  assert.deepEqual([bad.code, errorOf(bad)['code']], [6, 'invalid_setting'])
  Object.assign(home.env, settings, { SIGNUP: 'open' })
  home.env['DATABASE_URL'] = 'postgres://ana:hunter2@127.0.0.1:1/crier'
  const away = await home.run(['businesses', 'list'])
  Object.assign(home.env, settings)
  assert.deepEqual([away.code, errorOf(away)['code']], [8, 'cannot_start'])
  assert.doesNotMatch(away.stderr, /hunter2/)
})

test('doctor prints its findings, and exits with 1 if one of them is bad', async () => {
  const { code, stdout } = await home.run(['doctor'])
  const { findings } = JSON.parse(stdout)
  const checks = findings.map((finding: { check: string }) => finding.check)
  for (const check of ['node', 'settings', 'data folder', 'secret', 'port', 'durability', 'mail']) {
    assert.ok(checks.includes(check), check)
  }
  // The test server runs without fsync, so one check fails.
  assert.equal(code, 1)
})
