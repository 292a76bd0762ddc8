import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { newId } from '../../core/ids.ts'
import { drifted, driftOf } from './drift.ts'
import { planHash, readPlanHash } from './plan-hash.ts'

const parts = {
  recipients: 1_000,
  content: '0123456789ab',
  sender: 'ba9876543210',
  audience: 'aaaaaaaaaaaa',
}

test('a plan’s hash tells what it was made of, for its campaign alone', () => {
  const [id, other] = [newId('campaign'), newId('campaign')]
  const hash = planHash(testVault.hmac, id, parts)
  assert.deepEqual(readPlanHash(testVault.hmac, id, hash), parts)
  assert.equal(readPlanHash(testVault.hmac, other, hash), undefined)
  assert.equal(readPlanHash(testVault.hmac, id, hash.replace('1000-', '9999-')), undefined)
})

test('people may come and go up to a hundredth; content, sender and audience may not', () => {
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

test('a refusal for drift says every difference, and where to look again', () => {
  const id = newId('campaign')
  const now = { ...parts, recipients: 2_000, sender: 'cccccccccccc' }
  const { message, details } = drifted(id, driftOf(parts, now))
  assert.match(message, /recipients were 1000 and are 2000 now; the sender was changed/)
  assert.equal(details.fix?.tool, 'campaign.preview')
})
