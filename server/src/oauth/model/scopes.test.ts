import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantedScopes, requestedScopes } from './scopes.ts'

test('meta:read is always requested, and is the only scope where no scope is given', () => {
  assert.deepEqual(requestedScopes(undefined), ['meta:read'])
  assert.deepEqual(requestedScopes('forms:read'), ['meta:read', 'forms:read'])
})

test('unknown, repeated and empty scope names are ignored', () => {
  assert.deepEqual(requestedScopes('  openid forms:read forms:read constructor '), [
    'meta:read',
    'forms:read',
  ])
})

test('the granted scopes are never more than requested and never less than meta:read', () => {
  const asked = requestedScopes('forms:read messaging:send')
  assert.deepEqual(grantedScopes(asked, ['forms:read', 'provisioning:write']), [
    'meta:read',
    'forms:read',
  ])
  assert.deepEqual(grantedScopes(asked, []), ['meta:read'])
})
