import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '../../core/errors.ts'
import type { Fault } from './faults.ts'
import { readFilter } from './read.ts'

function faultsOf(written: unknown): Fault[] {
  const read = readFilter(written)
  return isRefusal(read) ? ((read.details.data?.['faults'] as Fault[]) ?? []) : []
}

const field = (op: string, value?: unknown, name = 'attributes.plan') => ({
  field: name,
  op,
  ...(value !== undefined && { value }),
})
const vip = { tag: 'vip' }
const nested = (depth: number): object => (depth === 0 ? vip : { not: nested(depth - 1) })

for (const filter of [
  { consent: 'email', is: 'subscribed' },
  { and: [vip, field('in', ['pro', 'team'])] },
  {
    and: [
      field('anniversary', '7 days', 'attributes.birthday'),
      { reachable: 'sms' },
      { sample: 10, seed: 'spring' },
    ],
  },
  { or: [field('upcoming', '3 days', 'attributes.trial_ends'), { not: vip }] },
  {
    and: [
      field('gte', 200, 'attributes.total_spent'),
      field('is_not', 'US', 'attributes.country'),
      field('ends_with', '@example.com', 'email'),
    ],
  },
  { consent: 'sms', is: 'unsubscribed', since: '2026-11-01', until: '2026-12-01T09:00:00+01:00' },
  field('between', ['2026-01-01', '2026-02-01'], 'created_at'),
  field('is', true),
  field('is', ''),
  nested(5),
  { and: Array.from({ length: 50 }, () => vip) },
  field(
    'in',
    Array.from({ length: 500 }, (_, n) => n),
  ),
]) {
  test(`${JSON.stringify(filter).slice(0, 80)} is read as it stands`, () => {
    assert.equal(readFilter(filter), filter)
  })
}

const wrong: [what: string, written: unknown, path: string, fix: unknown][] = [
  ['another word for and', { all: [vip] }, 'filter', { and: [vip] }],
  ['an operator of MongoDB', { $or: [vip] }, 'filter', { or: [vip] }],
  ['none of several', { none: [vip, vip] }, 'filter', { not: { or: [vip, vip] } }],
  ['a list in not', { not: [vip] }, 'filter', { not: { or: [vip] } }],
  ['a list', [vip, vip], 'filter', { and: [vip, vip] }],
  ['a filter in place of a list', { and: vip }, 'filter.and', [vip]],
  ['and beside or', { and: [vip], or: [vip] }, 'filter', { and: [{ and: [vip] }, { or: [vip] }] }],
  ['a condition beside and', { ...vip, and: [vip] }, 'filter', { and: [vip, { and: [vip] }] }],
  ['== for is', field('==', 'pro'), 'filter.op', 'is'],
  ['equals for is', field('equals', 'pro'), 'filter.op', 'is'],
  ['a misspelt operator', field('start_with', 'p'), 'filter.op', 'starts_with'],
  ['no operator', { field: 'name' }, 'filter.op', undefined],
  ['an own field', field('is', 'pro', 'plan'), 'filter.field', 'attributes.plan'],
  ['a misspelt field', field('is', 'a', 'e-mail'), 'filter.field', 'email'],
  ['attribute for attributes', field('is', 1, 'attribute.x'), 'filter.field', 'attributes.x'],
  ['more than on a text', field('gte', 5, 'name'), 'filter.op', undefined],
  ['anniversary of what is past', field('upcoming', '1 day', 'created_at'), 'filter.op', undefined],
  ['a short duration', field('within', '30d'), 'filter.value', '30 days'],
  ['a duration of ISO 8601', field('within', 'P1M'), 'filter.value', '1 month'],
  ['a number as a duration', field('within', 30), 'filter.value', '30 days'],
  ['a misspelt duration', field('within', '3 wek'), 'filter.value', '3 weeks'],
  ['too long a duration', field('within', '101 years'), 'filter.value', undefined],
  ['a birthday in two years', field('anniversary', '2 years'), 'filter.value', '1 year'],
  ['a number as a text', field('gt', '5.5'), 'filter.value', 5.5],
  ['one value for a list', field('in', 'pro'), 'filter.value', ['pro']],
  ['numbers the wrong way', field('between', [5, 1]), 'filter.value', [1, 5]],
  ['a day that is none', field('on', '2026-02-30'), 'filter.value', undefined],
  ['a moment for a day', field('on', '2026-02-01T00:00:00Z'), 'filter.value', undefined],
  ['a value for exists', field('exists', 1), 'filter', field('exists')],
  ['an empty part', field('contains', ''), 'filter.value', undefined],
  ['two tags', { tag: ['a', 'b'] }, 'filter', { or: [{ tag: 'a' }, { tag: 'b' }] }],
  ['tags', { tags: ['a'] }, 'filter', { tag: 'a' }],
  ['a field as a key', { plan: 'pro' }, 'filter', field('is', 'pro')],
  ['nothing', {}, 'filter', undefined],
  ['a misspelt kind', { tagg: 'a' }, 'filter', { tag: 'a' }],
  ['another key', { ...vip, is: true }, 'filter', vip],
  ['a misspelt key', { consent: 'email', iss: 'none' }, 'filter', { consent: 'email', is: 'none' }],
  ['a consent that is none', { consent: 'email', is: 'subscribe' }, 'filter.is', 'subscribed'],
  ['another channel', { reachable: 'emai' }, 'filter.reachable', 'email'],
  [
    'within beside since',
    { consent: 'email', is: 'subscribed', within: '1 day', since: '2026-11-01' },
    'filter',
    { consent: 'email', is: 'subscribed', since: '2026-11-01' },
  ],
  [
    'a time of none',
    { consent: 'email', is: 'none', within: '1 day' },
    'filter',
    { consent: 'email', is: 'none' },
  ],
  ['no seed', { sample: 10 }, 'filter.seed', 'spring'],
  ['all of a sample', { sample: 100, seed: 'a' }, 'filter.sample', undefined],
  ['an empty list', { or: [] }, 'filter.or', undefined],
  ['a text', 'vip', 'filter', undefined],
  ['null', null, 'filter', undefined],
  ['six deep', nested(6), 'filter', undefined],
  ['six deep in other words', { all: [{ any: [nested(4)] }] }, 'filter', undefined],
  ['51 conditions', { and: Array.from({ length: 51 }, () => vip) }, 'filter', undefined],
  [
    '501 values',
    field(
      'in',
      Array.from({ length: 501 }, (_, n) => n),
    ),
    'filter',
    undefined,
  ],
  ['too long a text', { and: [field('is', 'x'.repeat(16_000))] }, 'filter', undefined],
  ['too long a value', field('is', 'x'.repeat(4_001)), 'filter.value', undefined],
]
for (const [what, written, path, fix] of wrong) {
  test(`${what} is refused with what is right`, () => {
    const [fault] = faultsOf(written)
    assert.ok(fault, 'it was read')
    assert.equal(fault.path, path)
    assert.deepEqual(fault.fix, fix)
    assert.ok(fault.message.startsWith(path) && fault.message.endsWith('.'), fault.message)
    assert.ok(fault.message.length < 400, fault.message)
  })
}

test('all that is wrong is told at once, each at its place', () => {
  const written = { and: [field('==', 1), { or: [vip, { tag: 5 }] }, field('within', '3d')] }
  assert.deepEqual(
    faultsOf(written).map(({ path }) => path),
    ['filter.and[0].op', 'filter.and[1].or[1]', 'filter.and[2].value'],
  )
  const refusal = readFilter(written, 'audience.filter')
  assert.ok(isRefusal(refusal))
  assert.equal(refusal.code, 'invalid_request')
  assert.equal(refusal.details.field, 'audience.filter.and[0].op')
})

test('of many faults twenty are told', () => {
  const written = { and: Array.from({ length: 49 }, () => ({ tag: 1 })) }
  assert.equal(faultsOf(written).length, 20)
})

test('what is proposed is right', () => {
  for (const [what, written, path, fix] of wrong) {
    if (path !== 'filter' || fix === undefined) continue
    const read = readFilter(fix)
    assert.ok(!isRefusal(read), `${what}: ${JSON.stringify(written)} -> ${JSON.stringify(fix)}`)
  }
})
