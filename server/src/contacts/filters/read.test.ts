import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused, refusedBy } from '../../../../tests/support/refused.ts'
import { formatId, newId } from '../../core/ids.ts'
import type { Fault } from './faults.ts'
import { readFilter } from './read.ts'

function faultsOf(written: unknown): Fault[] {
  try {
    readFilter(written)
    return []
  } catch (error) {
    return (refused(error).details.data?.['faults'] as Fault[]) ?? []
  }
}

const field = (op: string, value?: unknown, name = 'attributes.plan') => ({
  field: name,
  op,
  ...(value !== undefined && { value }),
})
const vip = { tag: 'vip' }
const campaign_id = formatId('campaign', newId('campaign'))
const form_id = formatId('form', newId('form'))
const segmentId = formatId('segment', newId('segment'))
const nested = (depth: number): object => (depth === 0 ? vip : { not: nested(depth - 1) })

for (const filter of [
  { consent: 'email', is: 'subscribed' },
  { and: [vip, field('in', ['pro', 'team'])] },
  {
    and: [
      field('anniversary', '7 days', 'attributes.birthday'),
      { reachable: 'sms' },
      { suppressed: 'email' },
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
  {
    and: [
      { did: 'message.sent', campaign_id },
      { did_not: 'message.opened', campaign_id },
    ],
  },
  {
    or: [
      { did: 'message.opened', within: '30 days' },
      { did: 'message.clicked', within: '30 days' },
      { did: 'form.submitted', within: '30 days' },
    ],
  },
  { did: 'form.submitted', form_id, since: '2026-11-01', until: '2026-12-01' },
  { did: 'message.clicked', link: 'https://example.com/pricing', at_least: 2, within: '14 days' },
  { did: 'order', sum: 'value', at_least: 100, within: '90 days' },
  { did: 'order', sum: 'value', currency: 'EUR', at_least: 100 },
  { did: 'message.opened', machines: true, exactly: 0 },
  { did_not: 'order', since: '2026-04-01' },
  { segment: segmentId },
  {
    and: [
      field('older_than', '90 days', 'created_at'),
      { did_not: 'message.opened', within: '90 days' },
      { did_not: 'message.clicked', within: '90 days' },
    ],
  },
  {
    and: [
      { did: 'form.submitted', form_id, since: '2026-11-01', until: '2026-12-01' },
      { not: { tag: 'customer' } },
    ],
  },
  {
    and: [{ segment: segmentId }, { not: { segment: segmentId } }, { sample: 10, seed: 'spring' }],
  },
  {
    and: [
      { consent: 'email', is: 'subscribed', within: '7 days' },
      {
        or: [field('missing', undefined, 'attributes.lang'), field('is', 'de', 'attributes.lang')],
      },
      { not: { or: [{ tag: 'staff' }, { did: 'message.bounced' }] } },
    ],
  },
  field('is', true),
  field('is', ''),
  nested(5),
  { and: Array.from({ length: 50 }, () => vip) },
  field(
    'in',
    Array.from({ length: 500 }, (_, n) => n),
  ),
]) {
  test(`the filter ${JSON.stringify(filter).slice(0, 80)} is valid and read unchanged`, () => {
    assert.equal(readFilter(filter), filter)
  })
}

const wrong: [what: string, written: unknown, path: string, fix: unknown][] = [
  ['another word for and', { all: [vip] }, 'filter', { and: [vip] }],
  ['an operator of MongoDB', { $or: [vip] }, 'filter', { or: [vip] }],
  ['none of several', { none: [vip, vip] }, 'filter', { not: { or: [vip, vip] } }],
  ['a list in not', { not: [vip] }, 'filter', { not: { or: [vip] } }],
  ['a bare event', { did: 'opened' }, 'filter.did', 'message.opened'],
  ['an event of another kind', { did: 'email.opened' }, 'filter.did', 'message.opened'],
  ['a name of an event with a space', { did: 'Placed Order' }, 'filter.did', 'placed_order'],
  [
    'a count of what was not done',
    { did_not: 'order', at_least: 3 },
    'filter',
    { did: 'order', at_most: 2 },
  ],
  ['none, counted', { did_not: 'order', at_most: 3 }, 'filter', { did_not: 'order' }],
  [
    'two counts',
    { did: 'order', at_least: 1, at_most: 3 },
    'filter',
    { did: 'order', at_least: 1 },
  ],
  ['a count below one', { did: 'order', at_least: 0 }, 'filter.at_least', undefined],
  ['half an order', { did: 'order', at_most: 1.5 }, 'filter.at_most', undefined],
  [
    'a sum of opens',
    { did: 'message.opened', sum: 'value', at_least: 1 },
    'filter',
    { did: 'message.opened', at_least: 1 },
  ],
  ['a sum without a bound', { did: 'order', sum: 'value' }, 'filter', undefined],
  ['a sum of something else', { did: 'order', sum: 'total', at_least: 1 }, 'filter.sum', 'value'],
  ['a form of a message', { did: 'message.sent', form_id }, 'filter', { did: 'message.sent' }],
  [
    'a link of an open',
    { did: 'message.opened', link: 'https://example.com' },
    'filter',
    { did: 'message.opened' },
  ],
  [
    'a campaign by its name',
    { did: 'message.sent', campaign_id: 'Spring' },
    'filter.campaign_id',
    undefined,
  ],
  ['no link', { did: 'message.clicked', link: 'pricing' }, 'filter.link', undefined],
  ['a duration of a did', { did: 'order', within: '30d' }, 'filter.within', '30 days'],
  [
    'within beside since of a did',
    { did: 'order', within: '30 days', since: '2026-01-01' },
    'filter',
    { did: 'order', since: '2026-01-01' },
  ],
  ['a currency by its sign', { did: 'order', currency: '€' }, 'filter.currency', undefined],
  [
    'a currency of a message',
    { did: 'message.sent', currency: 'EUR' },
    'filter',
    { did: 'message.sent' },
  ],
  ['a segment by its name', { segment: 'VIPs' }, 'filter.segment', undefined],
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
  ['a reason alone', { suppressed: 'sms', reasons: 'stop' }, 'filter.reasons', ['stop']],
  ['no reason', { suppressed: 'sms', reasons: [] }, 'filter.reasons', undefined],
  [
    'a misspelt reason',
    { suppressed: 'email', reasons: ['bounced'] },
    'filter.reasons[0]',
    'bounce',
  ],
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
  test(`a filter with ${what} is refused at its place, with a correction if there is one`, () => {
    const [fault] = faultsOf(written)
    assert.ok(fault, 'it was read')
    assert.equal(fault.path, path)
    assert.deepEqual(fault.fix, fix)
    assert.ok(fault.message.startsWith(path) && fault.message.endsWith('.'), fault.message)
    assert.ok(fault.message.length < 400, fault.message)
  })
}

test('all errors of a filter are reported at once, each with its path', () => {
  const written = { and: [field('==', 1), { or: [vip, { tag: 5 }] }, field('within', '3d')] }
  assert.deepEqual(
    faultsOf(written).map(({ path }) => path),
    ['filter.and[0].op', 'filter.and[1].or[1]', 'filter.and[2].value'],
  )
  const refusal = refusedBy(() => readFilter(written, 'audience.filter'))
  assert.equal(refusal.code, 'invalid_request')
  assert.equal(refusal.details.field, 'audience.filter.and[0].op')
})

test('at most twenty errors of a filter are reported', () => {
  const written = { and: Array.from({ length: 49 }, () => ({ tag: 1 })) }
  assert.equal(faultsOf(written).length, 20)
})

test('every proposed correction of a filter is itself valid', () => {
  for (const [what, written, path, fix] of wrong) {
    if (path !== 'filter' || fix === undefined) continue
    assert.doesNotThrow(() => readFilter(fix), `${what}: ${JSON.stringify(written)}`)
  }
})
