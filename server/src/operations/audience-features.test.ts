/** `meta.capabilities` promises callers what filters take; this holds it to what is accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFilter } from '../contacts/filters/read.ts'
import { formatId, newId } from '../core/ids.ts'
import { audienceFeatures, audienceView } from './audience-features.ts'

const { filters, consent } = audienceFeatures

const examples: Record<string, object> = {
  field: { field: 'attributes.plan', op: 'is', value: 'pro' },
  tag: { tag: 'vip' },
  consent: { consent: 'email', is: 'pending' },
  topic: { topic: 'news', is: 'none' },
  reachable: { reachable: 'sms' },
  suppressed: { suppressed: 'email', reasons: ['bounce', 'complaint'] },
  standing: { standing: 'email', is: 'bounced' },
  sample: { sample: 10, seed: 'spring' },
  segment: { segment: formatId('segment', newId('segment')) },
  did: { did: 'order', sum: 'value', at_least: 100 },
  did_not: { did_not: 'order', within: '30 days' },
}

test('capabilities name every kind of condition that a filter takes, and no other', () => {
  assert.deepEqual(filters.conditions, Object.keys(examples))
  for (const [kind, condition] of Object.entries(examples)) {
    assert.deepEqual(readFilter(condition), condition, kind)
  }
})

test('every event, subject and status of consent that capabilities name works in a filter', () => {
  for (const did of filters.events) assert.deepEqual(readFilter({ did }), { did })
  for (const subject of consent.subjects) {
    for (const is of consent.statuses) {
      assert.deepEqual(readFilter({ consent: subject, is }), { consent: subject, is })
    }
  }
})

test('the limits of filters in capabilities are those that the reader enforces', () => {
  const { depth, conditions, values, characters } = filters.limits
  const nested = (n: number): object => (n === 0 ? { tag: 'a' } : { not: nested(n - 1) })
  const many = (n: number) => ({ or: Array.from({ length: n }, () => ({ tag: 'a' })) })
  const listed = (n: number) => {
    return { field: 'email', op: 'in', value: Array.from({ length: n }, (_, i) => `${i}`) }
  }
  const long = (n: number) => {
    const filter = { field: 'name', op: 'in', value: ['', '', '', '', ''] }
    let room = n - JSON.stringify(filter).length
    filter.value = filter.value.map(() => {
      const some = Math.min(room, 3_900)
      room -= some
      return 'a'.repeat(some)
    })
    return filter
  }
  for (const [most, filterOf] of [
    [depth, nested],
    [conditions, many],
    [values, listed],
    [characters, long],
  ] as const) {
    readFilter(filterOf(most))
    assert.throws(() => readFilter(filterOf(most + 1)), { code: 'invalid_request' }, filterOf.name)
  }
})

test('every field of the audience in capabilities is described by its schema', () => {
  assert.deepEqual(Object.keys(audienceFeatures), Object.keys(audienceView.properties))
})
