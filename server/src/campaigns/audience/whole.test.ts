import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asPlanned, nobody } from './whole.ts'

const segment_id = 'seg_01jd5m8x0p3q4r5s6t7v8w9xyz'
const vip = { tag: 'vip' }

test('the audience that was planned is frozen, even if its segment has changed since', () => {
  assert.deepEqual(asPlanned({ tags: ['a'], segment_id, filter: { tag: 'b' } }, vip), {
    tags: ['a'],
    filter: vip,
  })
  assert.deepEqual(asPlanned({ not_sent_within_days: 3 }, null), { not_sent_within_days: 3 })
})

test('a segment without a stored plan matches no contact, rather than every contact', () => {
  assert.deepEqual(asPlanned({ segment_id }, null), { filter: nobody })
})
