import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../../tests/support/refused.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { briefInput, briefLimits, briefOf } from './brief.ts'

function read(input: Parameters<typeof briefOf>[0]) {
  const brief = briefOf(input, 'en')
  return brief
}

test('a brief may be a single sentence', () => {
  const brief = read('Announce our spring menu')
  assert.equal(brief.goal, 'Announce our spring menu')
  assert.deepEqual([brief.purpose, brief.language], [undefined, 'en'])
  assert.deepEqual([brief.facts, brief.links], [[], []])
})

test('links and list items within a goal become links and facts', () => {
  const brief = read(
    'Tell people about the market (https://shop.example/market).\n- Saturday, 9 to 14\n2. Free entry',
  )
  assert.deepEqual(brief.links, ['https://shop.example/market'])
  assert.deepEqual(brief.facts, ['Saturday, 9 to 14', 'Free entry'])
  assert.equal(brief.goal, 'Tell people about the market.')
})

test('a kind given in the brief is a purpose of the gallery, by any of its names', () => {
  assert.equal(read({ goal: '20% off', kind: 'event' }).purpose, 'event')
  assert.equal(read({ goal: 'Come back', kind: 'reengagement' }).purpose, 'win-back')
  assert.equal(read({ goal: '20% off', kind: 'offer' }).purpose, 'sale')
})

test('facts and links stand in the text of a brief, each in its line', () => {
  const { text } = read({ goal: 'Come.\nNow', facts: ['At 9'], links: ['https://a.example'] })
  assert.equal(text, 'Come.\nNow\n- At 9\nhttps://a.example')
})

test('an unknown kind is refused with the list of kinds', () => {
  const refusal = refusedBy(() => briefOf({ goal: 'x', kind: 'spam' }, 'en'))
  assert.match(refusal.message, /brief\.kind must be one of newsletter, announcement/)
})

for (const link of ['shop.example', 'javascript:alert(1)', 'https://me:pw@shop.example', '']) {
  test(`the link ${JSON.stringify(link)} of a brief is refused at its field`, () => {
    const refusal = refusedBy(() =>
      briefOf({ goal: 'News', links: ['https://a.example', link] }, 'en'),
    )
    assert.equal(refusal.details.field, 'brief.links[1]')
  })
}

test('a goal that contains only a list or a link is refused', () => {
  for (const goal of ['- one\n- two', ' https://shop.example ', ' \n ']) {
    const refusal = refusedBy(() => briefOf(goal, 'en'))
    assert.equal(refusal.details.field, 'brief.goal')
  }
})

test('line breaks and control characters are removed from goal and tone, so they cannot reach a header', () => {
  const brief = read({ goal: 'One\r\nBcc: x@example.com\u0000two', tone: 'warm\u2028now' })
  assert.equal(brief.goal, 'One Bcc: x@example.com two')
  assert.equal(brief.tone, 'warm now')
})

const { goalLength, facts, factLength, links, length } = briefLimits

const url = 'https://a.example'

const tooLong: [string, object | string, object | string][] = [
  [
    'brief.facts',
    { goal: 'x', facts: Array(facts).fill('y') },
    { goal: 'x', facts: Array(facts + 1).fill('y') },
  ],
  [
    'brief.links',
    { goal: 'x', links: Array(links).fill(url) },
    { goal: 'x', links: Array(links + 1).fill(url) },
  ],
  ['brief.goal', 'x'.repeat(goalLength), 'x'.repeat(goalLength + 1)],
  [
    'brief.facts[1]',
    { goal: 'x', facts: ['y', 'y'.repeat(factLength)] },
    { goal: 'x', facts: ['y', 'y'.repeat(factLength + 1)] },
  ],
  [
    'brief',
    { goal: 'x', tone: 'y'.repeat(length - '{"goal":"x","tone":""}'.length) },
    { goal: 'x', tone: 'y'.repeat(length + 1 - '{"goal":"x","tone":""}'.length) },
  ],
]

for (const [field, most, more] of tooLong) {
  test(`the field ${field} accepts its maximum, and more is refused`, () => {
    read(most as never)
    const refusal = refusedBy(() => briefOf(more as never, 'en'))
    assert.equal(refusal.details.field, field)
  })
}

test('an unknown field of a brief is refused', () => {
  const check = schemaCheck(briefInput, 'brief')
  assert.equal(check({ goal: 'x', facts: ['y'] }), undefined)
  assert.ok(check({ goal: 'x', recipients: 'all' }))
})
