import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { isRefusal } from '../../core/errors.ts'
import { allowRedirect, createRedirects, hostedDefaults } from './redirects.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const now = new Date('2026-11-20T10:00:00Z')

test('loopback and the callbacks of known assistants are allowed by default', async () => {
  const redirects = createRedirects(database.db, [])
  for (const uri of [
    'http://localhost:8000/callback',
    'http://127.0.0.1/x',
    'http://[::1]:9/',
    ...hostedDefaults.filter((rule) => !rule.endsWith('*')),
    'https://chatgpt.com/connector/oauth/8hQ-x_1',
  ]) {
    assert.equal(await redirects.allow(uri), true, uri)
  }
})

test('any other redirect URI is refused', async () => {
  const redirects = createRedirects(database.db, [])
  for (const uri of [
    'https://app.example/callback',
    'https://claude.ai/api/mcp/auth_callback/',
    'https://claude.ai/api/mcp/auth_callback?next=https://evil.example',
    'https://claude.ai.evil.example/api/mcp/auth_callback',
    'http://claude.ai/api/mcp/auth_callback',
    'https://claude.ai:444/api/mcp/auth_callback',
  ]) {
    assert.equal(await redirects.allow(uri), false, uri)
  }
})

test('a star in a rule matches plain path segments, and no path traversal', async () => {
  const redirects = createRedirects(database.db, ['https://app.example/oauth/*'])
  assert.equal(await redirects.allow('https://app.example/oauth/one/two'), true)
  assert.equal(await redirects.allow('https://app.example/oauth/one/'), true)
  for (const uri of [
    'https://app.example/oauth',
    'https://app.example/oauth/../open-redirect',
    'https://app.example/oauth/a/../../open-redirect',
    'https://app.example/oauth/./a',
    'https://app.example/oauth/%2e%2e/open-redirect',
    'https://app.example/oauth/..%2fopen-redirect',
    'https://app.example/oauth//evil.example',
    'https://app.example/oauth/a?next=https://evil.example',
    'https://app.example/oauth/a;b',
    'https://app.example/oauth/..\\open',
    'https://app.example/oauth/a#b',
    'https://app.example.evil.example/oauth/a',
    'https://app.example@evil.example/oauth/a',
  ]) {
    assert.equal(await redirects.allow(uri), false, uri)
  }
})

test('the star of a rule cannot complete a dot segment', async () => {
  const redirects = createRedirects(database.db, ['https://app.example/a/.*'])
  assert.equal(await redirects.allow('https://app.example/a/./x'), false)
  assert.equal(await redirects.allow('https://app.example/a/../x'), false)
  assert.equal(await redirects.allow('https://app.example/a/.well'), true)
})

test('the operator can allow a redirect URI while the server runs, repeatedly', async () => {
  const redirects = createRedirects(database.db, [])
  const uri = 'https://added.example/cb'
  assert.equal(await redirects.allow(uri), false)
  assert.equal(await allowRedirect(database.db, uri, now), undefined)
  assert.equal(await allowRedirect(database.db, uri, now), undefined)
  assert.equal(await redirects.allow(uri), true)
  assert.equal(await redirects.allow(`${uri}/more`), false)

  assert.equal(await allowRedirect(database.db, 'https://many.example/cb/*', now), undefined)
  assert.equal(await redirects.allow('https://many.example/cb/17'), true)
  assert.equal(await redirects.allow('https://many.example/cb/../17'), false)
})

test('a private-use scheme that the operator chose can be allowed', async () => {
  const redirects = createRedirects(database.db, ['com.example.app:/oauth'])
  assert.equal(await redirects.allow('com.example.app:/oauth'), true)
})

test('an invalid redirect rule is refused with the reason', async () => {
  for (const rule of [
    'https://app.example*',
    'https://*.example/cb',
    'https://*/cb',
    'https://app.example/*/cb',
    'https://app.example/cb?x=*',
    'http://app.example/cb',
    'javascript:/x',
    'https://app.example/cb#x',
    'app.example/cb',
  ]) {
    const refusal = await allowRedirect(database.db, rule, now)
    assert.ok(isRefusal(refusal), rule)
    assert.equal(refusal.code, 'invalid_redirect_uri')
    assert.throws(() => createRedirects(database.db, [rule]), /ALLOWED_REDIRECTS/, rule)
  }
})
