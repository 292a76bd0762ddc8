import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canFail } from '../lib/concurrency/can-fail.ts'
import { isRefusal, refuse, statusOf } from './errors.ts'

test('a refusal carries its code, status, message and what mends it', () => {
  const refusal = refuse('scope_required', 'Needs forms:read.', { field: 'scope', retryAfter: 5 })
  assert.ok(isRefusal(refusal))
  assert.deepEqual([refusal.code, statusOf[refusal.code]], ['scope_required', 403])
  assert.equal(refusal.message, 'Needs forms:read.')
  assert.deepEqual(refusal.details, { field: 'scope', retryAfter: 5 })
})

test('the codes of the contract have the statuses of the contract', () => {
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

test('every code has a status that says no', () => {
  for (const [code, status] of Object.entries(statusOf)) {
    assert.ok(status >= 400 && status < 600, code)
    assert.match(code, /^[a-z_]+$/)
  }
})

test('refusing costs no stack, and leaves the stacks of faults alone', () => {
  assert.doesNotMatch(refuse('not_found', 'No.').stack ?? '', /\n\s+at /)
  assert.match(new Error('fault').stack ?? '', /errors\.test\.ts/)
})

test('other errors and values are no refusals', () => {
  assert.ok(![new Error('no'), { code: 'conflict' }, undefined, null].some(isRefusal))
})

test('canFail gives the value, or undefined in place of an error', async () => {
  assert.equal(await canFail('works', Promise.resolve(7)), 7)
  assert.equal(await canFail('may fail', Promise.reject(new Error('away'))), undefined)
})
