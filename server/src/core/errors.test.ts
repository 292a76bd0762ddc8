import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoreError } from '../lib/concurrency/ignore-error.ts'
import { isRefusal, refuse, statusOf } from './errors.ts'

test('a refusal carries its code, status, message and details', () => {
  const refusal = refuse('scope_required', 'Needs forms:read.', { field: 'scope', retryAfter: 5 })
  assert.ok(isRefusal(refusal))
  assert.deepEqual([refusal.code, statusOf[refusal.code]], ['scope_required', 403])
  assert.equal(refusal.message, 'Needs forms:read.')
  assert.deepEqual(refusal.details, { field: 'scope', retryAfter: 5 })
})

test('the error codes of the contract have the HTTP statuses of the contract', () => {
  const contract = {
    invalid_request: 400,
    invalid_grant: 400,
    invalid_client: 400,
    invalid_redirect_uri: 400,
    unauthorized: 401,
    scope_required: 403,
    tier_required: 403,
    rate_limited: 429,
  } as const
  assert.deepEqual({ ...statusOf, ...contract }, statusOf)
})

test('every error code has a 4xx or 5xx status', () => {
  for (const [code, status] of Object.entries(statusOf)) {
    assert.ok(status >= 400 && status < 600, code)
    assert.match(code, /^[a-z_]+$/)
  }
})

test('a refusal has no stack trace, and other errors keep theirs', () => {
  assert.doesNotMatch(refuse('not_found', 'No.').stack ?? '', /\n\s+at /)
  assert.match(new Error('fault').stack ?? '', /errors\.test\.ts/)
})

test('other errors and values are not recognised as refusals', () => {
  assert.ok(![new Error('no'), { code: 'conflict' }, undefined, null].some(isRefusal))
})

test('ignoreError returns the value, or undefined in place of an error', async () => {
  assert.equal(await ignoreError('works', Promise.resolve(7)), 7)
  assert.equal(await ignoreError('may fail', Promise.reject(new Error('away'))), undefined)
})
