import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import {
  type PagesConfig,
  type PagesWorld,
  pagesWorld,
} from '../../../../../tests/support/clients/pages.ts'
import { inboxMailer } from '../../../../../tests/support/mail/inbox-mailer.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'

let database: TestDatabase
let world: PagesWorld
const loopback: PagesConfig = {
  baseUrl: 'http://localhost:8080',
  appUrl: 'http://localhost:8080',
  gatewayUrl: 'http://localhost:8080',
  allowInbox: false,
}
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db, loopback)
  const mailer = inboxMailer({ db: database.db, clock: world.clock })
  const mail = {
    name: 'one',
    from: 'crier@localhost',
    subject: 'One',
    text: 'plain',
    html: '<p>plain</p>',
  }
  await mailer.send({ ...mail, to: 'ana@example.com' })
  await mailer.send({
    ...mail,
    to: 'ben@example.com',
    subject: 'Two <script>',
    text: 'Sign in:\nhttp://localhost:8080/sign-in/abc\nhttps://else.example/x or the shop [https://else.example/y?a[]=1].',
    html: '<html><head></head><body><script>alert(1)</script><p style="color:red">Hi</p></body></html>',
  })
})
after(() => database.drop())

interface Listed {
  id: string
  to: string
  subject: string
  text: string
  html: string
  links: string[]
  created_at: string
}

async function listing(query = ''): Promise<Listed[]> {
  const { body } = await world.visitor().get(`/inbox/messages${query}`)
  return (JSON.parse(body) as { messages: Listed[] }).messages
}

test('the inbox speaks the language of its reader', async () => {
  for (const [tag, title, sent, banner] of [
    ['de-CH', 'Testpostfach', 'gerade eben', 'Nichts verlässt diesen Rechner'],
    ['fr', 'Boîte de test', 'à l’instant', 'rien ne quitte cet ordinateur'],
    ['it', 'Inbox', 'just now', 'nothing leaves this machine'],
  ] as const) {
    const { body } = await world.visitor().get('/inbox', { 'accept-language': tag })
    for (const text of [`<h1>${title}</h1>`, sent, banner]) assert.ok(body.includes(text), text)
  }
})

test('the message list for programs is newest first, with the links found in the text', async () => {
  const [newest, oldest, ...rest] = await listing()
  assert.ok(newest && oldest && rest.length === 0)
  assert.equal(newest.to, 'ben@example.com')
  assert.match(newest.id, /^mai_/)
  assert.deepEqual(newest.links, [
    'http://localhost:8080/sign-in/abc',
    'https://else.example/x',
    'https://else.example/y?a[]=1',
  ])
  assert.deepEqual(oldest.links, [])
  assert.equal(newest.created_at, '2026-11-20T10:00:00.000Z')
})

test('the message list can be filtered by recipient in any spelling, and limited', async () => {
  assert.deepEqual(
    (await listing('?to=ANA@example.com')).map((listed) => listed.subject),
    ['One'],
  )
  assert.deepEqual(await listing('?to=nonsense'), [])
  assert.equal((await listing('?limit=1')).length, 1)
  assert.equal((await listing('?limit=0')).length, 2, 'a limit that is none is left out')
})

test('inbox pages show the list and each form of a message, with the banner', async () => {
  const visitor = world.visitor()
  const list = await visitor.get('/inbox')
  assert.match(list.body, /nothing leaves this machine/)
  assert.match(list.body, /Two &lt;script&gt;/)
  const [message] = await listing('?to=ben@example.com')
  const path = `/inbox/${message?.id}`
  const page = await visitor.get(path)
  assert.match(page.body, /sandbox="allow-popups allow-popups-to-escape-sandbox"/)
  assert.match(page.body, /class="button" href="http:\/\/localhost:8080\/sign-in\/abc"/)
  assert.match((await visitor.get(`${path}?view=text`)).body, /https:\/\/else\.example\/x/)
  assert.match((await visitor.get(`${path}?view=headers`)).body, /Subject: Two/)
  assert.doesNotMatch((await visitor.get(`${path}?view=headers`)).body, /Sign in:/)
  const source = await visitor.get(`${path}?view=source`)
  assert.match(source.body, /multipart\/alternative/)
  assert.doesNotMatch(source.body, /<script>/)
})

test('the HTML of a mail is shown in a sandbox that runs and loads nothing', async () => {
  const [message] = await listing('?to=ben@example.com')
  const { headers, body } = await world.visitor().get(`/inbox/${message?.id}/html`)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^sandbox allow-popups/)
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /allow-scripts|allow-same-origin|script-src/)
  assert.match(body, /<base target="_blank">/)
})

test('an unknown message is 404', async () => {
  for (const id of ['mai_00000000000000000000000000', 'x', 'messages2']) {
    assert.equal((await world.visitor().get(`/inbox/${id}`)).status, 404)
  }
})

test('a foreign host name that resolves to this machine cannot read the inbox', async () => {
  const visitor = world.visitor()
  const ask = async (host: string) => (await visitor.get('/inbox/messages', { host })).status
  assert.equal(await ask('evil.example'), 404)
  assert.equal(await ask('localhost.evil.example:8080'), 404)
  assert.equal(await ask('127.0.0.1:8080'), 200)
  assert.equal(await ask('[::1]:8080'), 200)
  const forwarded = { host: 'evil.example', 'x-forwarded-host': 'localhost' }
  assert.equal((await visitor.get('/inbox/messages', forwarded)).status, 404)
})

test('the inbox is off with a relay, and beyond loopback unless the operator allows it', async () => {
  const hidden: PagesConfig[] = [
    { ...loopback, smtpUrl: 'smtp://relay.example' },
    { ...loopback, smtpUrl: 'smtp://relay.example', allowInbox: true },
    { ...loopback, host: '0.0.0.0' },
    { ...loopback, host: '::' },
    { ...loopback, baseUrl: 'https://api.example' },
    { ...loopback, appUrl: 'https://app.example' },
  ]
  for (const config of hidden) {
    const visitor = pagesWorld(database.db, config).visitor()
    for (const path of ['/inbox', '/inbox/messages']) {
      assert.equal((await visitor.get(path)).status, 404, JSON.stringify(config))
    }
    assert.doesNotMatch((await visitor.get('/')).body, /inbox/i)
  }
  const allowed = pagesWorld(database.db, { ...loopback, host: '0.0.0.0', allowInbox: true })
  assert.equal((await allowed.visitor().get('/inbox')).status, 200)
})
