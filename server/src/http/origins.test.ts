import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOriginRule } from './origins.ts'

test('a public installation allows only its own origins', () => {
  const allows = createOriginRule(['https://api.example', 'https://app.example'])
  assert.ok(allows('https://app.example'))
  for (const origin of [
    'https://evil.example',
    'http://localhost:3000',
    'null',
    'https://app.example.evil.example',
  ]) {
    assert.equal(allows(origin), false, origin)
  }
})

test('an installation on loopback allows every loopback origin and no other', () => {
  const allows = createOriginRule(['http://localhost:8080'])
  for (const origin of ['http://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:5']) {
    assert.ok(allows(origin), origin)
  }
  for (const origin of ['http://evil.example:8080', 'null', 'http://localhost.evil.example']) {
    assert.equal(allows(origin), false, origin)
  }
})
