import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { PageVisitor, Visited } from '../../../../../tests/support/clients/page-visitor.ts'
import {
  type PagesConfig,
  type PagesWorld,
  pagesWorld,
} from '../../../../../tests/support/clients/pages.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { newId } from '../../../core/ids.ts'
import { createPhonesTransport } from '../../../core/inbox/phones.ts'
import { sql } from '../../../lib/db/db.ts'
import { parseSmsUrl } from '../../../lib/sms/sms-url.ts'

const loopback: PagesConfig = {
  baseUrl: 'http://localhost:8080',
  appUrl: 'http://localhost:8080',
  gatewayUrl: 'http://localhost:8080',
  allowInbox: false,
}
const phone = '+33612345678'
const path = '/phones/33612345678'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  await database.db.run(sql`delete from inbox_texts`)
  world = pagesWorld(database.db, loopback)
})

async function text(body: string, changes: object = {}): Promise<void> {
  const transport = createPhonesTransport({ db: database.db, clock: world.clock })
  const what = { from: '+12025550100', to: phone, body, messageId: newId('message'), ...changes }
  await transport.use('normal', (line) => line.send(what))
}

const formAt = (page: Visited, at: string) =>
  page.forms.find(({ action }) => new URL(action).pathname === at)

interface Listed {
  id: string
  phone: string
  body: string
  state: string
  sent_by_phone: boolean
}

async function listing(visitor: PageVisitor, query = ''): Promise<Listed[]> {
  const { body } = await visitor.get(`/phones/texts${query}`)
  return (JSON.parse(body) as { texts: Listed[] }).texts
}

test('each phone is listed with its latest message', async () => {
  await text('First')
  await text('Second <b>')
  await text('Elsewhere', { to: '+14155550100' })
  const visitor = world.visitor()
  const { body } = await visitor.get('/phones')
  assert.match(body, /nothing leaves this machine/)
  assert.match(body, /Second &lt;b&gt;/)
  assert.doesNotMatch(body, /First/)
  assert.equal((await listing(visitor)).length, 3)
  assert.equal((await listing(visitor, '?phone=%2B33612345678')).length, 2)
  assert.deepEqual(await listing(visitor, '?phone=nonsense'), [])
  const opened = await visitor.get('/phones?phone=%2B33%206%2012%2034%2056%2078')
  assert.deepEqual([opened.status, opened.headers['location']], [303, path])
})

test('a reply typed on a phone is received like one from a provider', async () => {
  await text('A sale', { from: '12345' })
  const visitor = world.visitor()
  const page = await visitor.get(path)
  assert.match(page.body, /A sale/)
  const typed = { to: '12345', body: ' STOP ' }
  const { status } = await visitor.submit(page, typed, {}, formAt(page, path))
  assert.equal(status, 303)
  const [heard, ...more] = world.heard
  assert.deepEqual(more, [])
  assert.ok(heard && 'body' in heard)
  assert.deepEqual([heard.from, heard.to, heard.body], [phone, '12345', 'STOP'])
  assert.match((await visitor.get(path)).body, /text typed[\s\S]*STOP/)
})

test('a text can be reported as delivered or failed, once', async () => {
  await text('Hello')
  const visitor = world.visitor()
  const [sent] = await listing(visitor)
  const page = await visitor.get(path)
  assert.match(page.body, /Deliver it/)
  await visitor.submit(page, {}, {}, formAt(page, `${path}/${sent?.id}/failed`))
  const [heard] = world.heard
  assert.ok(heard && 'state' in heard)
  assert.deepEqual([heard.providerId, heard.state, heard.final], [sent?.id, 'failed', true])
  const after = await visitor.get(path)
  assert.doesNotMatch(after.body, /Deliver it/)
  assert.equal((await listing(visitor))[0]?.state, 'failed')
})

test('a form of another site cannot send a reply', async () => {
  const visitor = world.visitor()
  const page = await visitor.get(path)
  const typed = { to: '12345', body: 'STOP', form_key: 'stolen' }
  const { status } = await visitor.submit(page, typed, {}, formAt(page, path))
  assert.equal(status, 403)
  assert.deepEqual(world.heard, [])
})

test('phones are available only without a provider, on loopback and under our own host name', async () => {
  const sms = parseSmsUrl('smpp://id:password@smsc.example')
  const hidden: PagesConfig[] = [
    { ...loopback, sms },
    { ...loopback, sms, allowInbox: true },
    { ...loopback, host: '0.0.0.0' },
    { ...loopback, baseUrl: 'https://api.example' },
  ]
  for (const config of hidden) {
    const visitor = pagesWorld(database.db, config).visitor()
    assert.equal((await visitor.get('/phones')).status, 404)
    assert.doesNotMatch((await visitor.get('/')).body, /phones/i)
  }
  const visitor = world.visitor()
  assert.equal((await visitor.get('/phones', { host: 'evil.example' })).status, 404)
  const withRelay = pagesWorld(database.db, { ...loopback, smtpUrl: 'smtp://relay.example' })
  assert.equal((await withRelay.visitor().get('/phones')).status, 200)
  assert.equal((await visitor.get('/phones/12')).status, 404)
})
