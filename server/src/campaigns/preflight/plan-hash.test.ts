import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { newId } from '../../core/ids.ts'
import { drifted, driftOf, planHash, readPlanHash } from './plan-hash.ts'

const parts = {
  recipients: 1_000,
  content: '0123456789ab',
  sender: 'ba9876543210',
  audience: 'aaaaaaaaaaaa',
}

test('a plan hash can be read back, for its own campaign only', () => {
  const [id, other] = [newId('campaign'), newId('campaign')]
  const hash = planHash(testVault.hmac, id, parts)
  assert.deepEqual(readPlanHash(testVault.hmac, id, hash), parts)
  assert.equal(readPlanHash(testVault.hmac, other, hash), undefined)
  assert.equal(readPlanHash(testVault.hmac, id, hash.replace('1000-', '9999-')), undefined)
})

test('the recipients may drift by one per cent; content, sender and audience may not change', () => {
  for (const recipients of [990, 1_000, 1_010]) {
    assert.deepEqual(driftOf(parts, { ...parts, recipients }), [])
  }
  for (const recipients of [989, 1_011]) {
    assert.deepEqual(driftOf(parts, { ...parts, recipients }), [
      { what: 'recipients', before: 1_000, now: recipients },
    ])
  }
  for (const what of ['content', 'sender', 'audience'] as const) {
    assert.deepEqual(driftOf(parts, { ...parts, [what]: 'cccccccccccc' }), [{ what }])
  }
})

test('a refusal for drift names every difference, and where to preview again', () => {
  const id = newId('campaign')
  const now = { ...parts, recipients: 2_000, sender: 'cccccccccccc' }
  const { message, details } = drifted(id, driftOf(parts, now))
  assert.match(message, /recipients were 1000 and are 2000 now; the sender was changed/)
  assert.equal(details.fix?.tool, 'campaign.preview')
})
