/** Contract, "Endpoints", Authorize. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { approved, authorizeUrl, newPkce, registered } from '../../support/clients/plain-client.ts'
import { approve, newPerson, requestLink } from '../../support/clients/sign-in.ts'
import { TinyBrowser } from '../../support/clients/tiny-browser.ts'
import { type Service, startService } from '../../support/processes/service.ts'

const redirectUri = 'http://localhost:41870/callback'
let service: Service
let clientId: string
before(async () => {
  service = await startService()
  clientId = await registered(service.url, redirectUri)
})
after(() => service.close())

const request = (changes: Record<string, string | undefined> = {}): URL => {
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    state: 'opaque to the server & "quoted" ü',
    scope: 'meta:read forms:read',
    ...changes,
  }
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return authorizeUrl(service.url, Object.fromEntries(given) as Record<string, string>)
}

const open = (address: URL) => fetch(address, { redirect: 'manual' })

test('following the sign-in link redirects to redirect_uri with code and state', async () => {
  const callback = await approve(request(), { email: newPerson() })
  assert.equal(callback.origin + callback.pathname, redirectUri)
  assert.ok(callback.searchParams.get('code'))
  assert.equal(callback.searchParams.get('state'), 'opaque to the server & "quoted" ü')
  assert.equal(callback.searchParams.getAll('code').length, 1)
})

test('an unknown address can sign up, and a known address signs in the same way', async () => {
  const email = newPerson()
  const first = await approved(service.url, { email })
  const second = await approved(service.url, { email })
  assert.ok(first.callback.searchParams.get('code'))
  assert.notEqual(first.callback.searchParams.get('code'), second.callback.searchParams.get('code'))
})

test('a mail scanner that opens the sign-in link does not use it up', async () => {
  const browser = new TinyBrowser()
  const link = await requestLink(browser, request(), { email: newPerson() })
  for (const method of ['HEAD', 'GET', 'GET', 'HEAD']) {
    const scanned = await fetch(link, { method, redirect: 'manual' })
    assert.equal(scanned.headers.get('location'), null, `${method} ${scanned.status}`)
  }
  const followed = await browser.visit(link)
  const callback = new URL(followed.headers.get('location') ?? '')
  assert.ok(callback.searchParams.get('code'))
})

test('a sign-in link works once', async () => {
  const browser = new TinyBrowser()
  const link = await requestLink(browser, request(), { email: newPerson() })
  assert.equal((await browser.visit(link)).status, 302)
  const again = await browser.visit(link)
  assert.equal(again.headers.get('location'), null)
})

test('a loopback redirect URI may use a port that was not registered', async () => {
  const other = 'http://localhost:50999/callback'
  const callback = await approve(request({ redirect_uri: other }), { email: newPerson() })
  assert.equal(callback.origin + callback.pathname, other)
})

test('an unknown client or a foreign redirect URI gets an error page, never a redirect', async () => {
  for (const changes of [
    { client_id: 'nobody' },
    { client_id: undefined },
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: 'http://localhost:41870/elsewhere' },
    { redirect_uri: undefined },
  ]) {
    const answer = await open(request(changes))
    assert.equal(answer.status, 400, JSON.stringify(changes))
    assert.equal(answer.headers.get('location'), null)
  }
})

test('PKCE is required, and only S256 is accepted', async () => {
  for (const changes of [
    { code_challenge: undefined },
    { code_challenge: 'too-short' },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
  ]) {
    const answer = await open(request(changes))
    const to = new URL(answer.headers.get('location') ?? '', service.url)
    assert.equal(to.origin + to.pathname, redirectUri, JSON.stringify(changes))
    assert.equal(to.searchParams.get('error'), 'invalid_request')
    assert.equal(to.searchParams.get('state'), 'opaque to the server & "quoted" ü')
    assert.equal(to.searchParams.get('code'), null)
  }
})

test('a response type other than code is refused by redirecting to the client with the error', async () => {
  const answer = await open(request({ response_type: 'token' }))
  const to = new URL(answer.headers.get('location') ?? '', service.url)
  assert.equal(to.searchParams.get('error'), 'unsupported_response_type')
})
