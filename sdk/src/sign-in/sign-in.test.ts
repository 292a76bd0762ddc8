import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type FakeServer, fakeServer } from '../../tests/fake-server.ts'
import { browse, browser } from '../../tests/person.ts'
import type { Connection } from '../tokens/connection.ts'
import { createOAuth } from './oauth.ts'
import { type SignInOptions, signInOverLoopback } from './sign-in.ts'

const exchange = 'POST /functions/v1/mcp-oauth'
let server: FakeServer

beforeEach(async () => {
  server = await fakeServer()
})
afterEach(() => server.close())

const signIn = (options: SignInOptions): Promise<Connection> =>
  signInOverLoopback(createOAuth({ url: server.url }), () => 1_000, options)

test('a person signs in through the browser, and the last page says that it worked', async () => {
  const { open, opened, page } = browser()
  const connection = await signIn({ open, scopes: ['forms:read'], clientName: 'Tester' })
  assert.match(await page(), /You are signed in/)
  assert.match(
    opened().searchParams.get('redirect_uri') ?? '',
    /^http:\/\/localhost:\d+\/callback$/,
  )
  assert.equal(server.oauth.clients.get(connection.clientId)?.client_name, 'Tester')
  assert.equal(connection.expiresAt, 3_601_000)
  assert.deepEqual(connection.scopes, ['meta:read', 'forms:read'])
})

test('the value all requests every scope that the server announces', async () => {
  const { open, opened } = browser()
  await signIn({ open, scopes: 'all' })
  assert.equal(opened().searchParams.get('scope'), 'meta:read forms:read')
})

test('a client that is already registered is not registered again', async () => {
  server.oauth.clients.set('mine', { client_name: '', redirect_uris: [] })
  const { open } = browser()
  assert.equal((await signIn({ open, clientId: 'mine' })).clientId, 'mine')
  assert.equal(server.count('POST /functions/v1/mcp-oauth/register'), 0)
})

test('a wrong state ends the sign-in before any token exchange, and the page says so', async () => {
  server.faults.state = 'forged'
  const { open, page } = browser()
  await assert.rejects(signIn({ open }), { code: 'state_mismatch' })
  assert.match(await page(), /You are not signed in/)
  assert.equal(server.count(exchange), 0)
})

test('the page shows the server’s error description with its markup escaped', async () => {
  const open = (url: string): void => {
    const asked = new URL(url).searchParams
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('iss', server.url)
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', '<script>alert(1)</script>')
    pages.push(browse(back.href))
  }
  const pages: ReturnType<typeof browse>[] = []
  await assert.rejects(signIn({ open }), { code: 'access_denied' })
  const shown = await pages[0]
  assert.equal(shown?.status, 400)
  assert.ok(!shown.page.includes('<script>'))
})

test('the listener refuses other paths, other methods and a second callback', async () => {
  let release = (): void => undefined
  server.faults.hold = new Promise((resolve) => {
    release = resolve
  })
  const visits: Promise<unknown>[] = []
  const seen: number[] = []
  const open = (url: string): void => {
    const callback = new URL(url).searchParams.get('redirect_uri') ?? ''
    const visit = async (): Promise<void> => {
      seen.push((await browse(new URL('/favicon.ico', callback).href)).status)
      seen.push((await fetch(callback, { method: 'HEAD' })).status)
      visits.push(browse(url))
      while (server.count(exchange) === 0) await new Promise(setImmediate)
      seen.push((await browse(callback)).status)
      release()
    }
    visits.push(visit())
  }
  await signIn({ open })
  await Promise.all(visits)
  assert.deepEqual(seen, [404, 404, 410])
})

test('a sign-in that is not finished ends at its deadline', async () => {
  await assert.rejects(signIn({ open: () => undefined, deadline: 30 }), {
    code: 'timeout',
    message: /Nobody finished the sign-in/,
  })
})

test('a sign-in can be aborted', async () => {
  const controller = new AbortController()
  const open = (): void => controller.abort(new Error('enough'))
  await assert.rejects(signIn({ open, signal: controller.signal }), /enough/)
})

test('the listener is closed after the sign-in, on both loopback addresses', async () => {
  const { open, opened } = browser()
  await signIn({ open })
  const { port } = new URL(opened().searchParams.get('redirect_uri') ?? '')
  for (const host of ['127.0.0.1', '[::1]']) {
    await assert.rejects(fetch(`http://${host}:${port}/callback`), TypeError)
  }
})
