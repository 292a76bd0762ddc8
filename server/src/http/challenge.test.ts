import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../core/errors.ts'
import type { Scope } from '../core/operation.ts'
import { bearerChallenge } from './challenge.ts'

const metadataUrl = 'https://a.example/.well-known/oauth-protected-resource/mcp'

test('a 401 without a token has no error parameter, so that clients do not take it for a bad token', () => {
  const challenge = bearerChallenge(refuse('unauthorized', 'Missing.'), {
    metadataUrl,
    tokenSent: false,
  })
  assert.match(challenge ?? '', /^Bearer resource_metadata="https:\/\/a\.example/)
  assert.doesNotMatch(challenge ?? '', /error=/)
  assert.match(challenge ?? '', /scope="meta:read .*provisioning:write"/)
})

test('a 401 with a token has error="invalid_token"', () => {
  const challenge = bearerChallenge(refuse('unauthorized', 'A "bad" \\ tökén'), {
    metadataUrl,
    tokenSent: true,
  })
  assert.match(challenge ?? '', /error="invalid_token"/)
  assert.match(challenge ?? '', /error_description="A 'bad' ' t\?k\?n"/)
})

test('only a missing scope has insufficient_scope, since a role or tier would make clients loop', () => {
  const request = { metadataUrl, tokenSent: true }
  const scope = refuse('scope_required', 'x', { data: { scope: 'forms:read' } })
  assert.match(
    bearerChallenge(scope, request) ?? '',
    /error="insufficient_scope", scope="forms:read"/,
  )
  const held = new Set<Scope>(['audience:read', 'meta:read'])
  assert.match(
    bearerChallenge(scope, { ...request, held }) ?? '',
    /scope="meta:read forms:read audience:read"/,
    'what the token has, and what it lacks',
  )
  const several = refuse('scope_required', 'x', { data: { scope: 'forms:read messaging:send' } })
  assert.match(
    bearerChallenge(several, { ...request, held }) ?? '',
    /scope="meta:read forms:read audience:read messaging:send"/,
  )
  const unnamed = bearerChallenge(refuse('scope_required', 'x'), request) ?? ''
  assert.match(unnamed, /scope="meta:read .*provisioning:write"/)
  assert.equal(bearerChallenge(refuse('role_required', 'x'), request), undefined)
  assert.equal(bearerChallenge(refuse('tier_required', 'x'), request), undefined)
})
