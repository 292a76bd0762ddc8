import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isLoopback,
  redirectFault,
  redirectHost,
  sameRedirect,
  withParameters,
} from './redirect-uri.ts'

test('http redirect URIs are loopback for the three local host names, at any port and path', () => {
  for (const uri of [
    'http://localhost/callback',
    'http://localhost:1/callback',
    'http://127.0.0.1:65535/',
    'http://127.0.0.1',
    'http://[::1]:8000/a/b?c=d',
    'http://localhost?x=1',
  ]) {
    assert.equal(isLoopback(uri), true, uri)
    assert.equal(redirectFault(uri), undefined, uri)
  }
})

test('a redirect URI that only resembles loopback is not loopback', () => {
  for (const uri of [
    'https://localhost/callback',
    'http://localhost.evil.example/callback',
    'http://localhostevil.example/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.11/',
    'http://evil.example/localhost',
    'http://localhost@evil.example/',
    'http://localhost:80@evil.example/',
    'http://localhost:99999/',
    'http://0.0.0.0/',
    'http://[::2]/',
  ]) {
    assert.equal(isLoopback(uri), false, uri)
  }
})

test('an invalid redirect URI is refused with its fault', () => {
  for (const [uri, fault] of [
    ['http://localhost/cb#frag', /fragment/],
    ['http://user@localhost/cb', /user name/],
    ['https://user:pass@app.example/cb', /user name/],
    ['https://@app.example/cb', /user name/],
    ['http://app.example/cb', /not loopback/],
    ['javascript://localhost/%0aalert(1)', /scheme/],
    ['data:/text', /scheme/],
    ['/callback', /absolute/],
    ['callback', /absolute/],
    ['', /absolute/],
    ['mailto:a@b.example', /absolute/],
    ['https:///callback', /no host/],
    ['http://local host/cb', /characters/],
    ['http://localhost\\@evil.example/', /characters/],
    ['http://localhost/cb\r\nSet-Cookie: a=b', /characters/],
    ['http://localhost/c\u0000b', /characters/],
    ['http://localhost/ü', /characters/],
    [`http://localhost/${'a'.repeat(2000)}`, /longer than 2000/],
  ] as const) {
    assert.match(redirectFault(uri) ?? 'no fault', fault, uri)
  }
})

test('the port of a loopback redirect URI may differ between registration and authorization, the rest may not', () => {
  const registered = 'http://localhost:3000/callback?a=1'
  assert.ok(sameRedirect(registered, 'http://localhost:49152/callback?a=1'))
  assert.ok(sameRedirect(registered, 'http://localhost/callback?a=1'))
  assert.ok(sameRedirect('http://[::1]/cb', 'http://[::1]:5/cb'))
  assert.ok(!sameRedirect(registered, 'http://localhost:3000/other?a=1'))
  assert.ok(!sameRedirect(registered, 'http://localhost:3000/callback'))
  assert.ok(!sameRedirect(registered, 'http://127.0.0.1:3000/callback?a=1'))
  assert.ok(!sameRedirect('https://app.example:1/cb', 'https://app.example:2/cb'))
})

test('the response parameters are added to the existing query of a redirect URI', () => {
  assert.equal(
    withParameters('http://localhost:1/cb', { code: 'a b', state: 'x&y=/' }),
    'http://localhost:1/cb?code=a+b&state=x%26y%3D%2F',
  )
  assert.equal(
    withParameters('https://a.example/cb?k=v', { code: '1' }),
    'https://a.example/cb?k=v&code=1',
  )
})

test('the user is shown the host of a redirect URI, or the scheme of an app', () => {
  assert.equal(redirectHost('https://claude.ai/api/mcp/auth_callback'), 'claude.ai')
  assert.equal(redirectHost('http://localhost:3000/cb'), 'localhost')
  assert.equal(redirectHost('cursor://anysphere.cursor-mcp/oauth/callback'), 'anysphere.cursor-mcp')
  assert.equal(redirectHost('com.example.app:/cb'), 'com.example.app')
})
