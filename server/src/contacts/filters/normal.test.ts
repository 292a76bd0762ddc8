/** Equivalent filters have the same normal form, however they are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from './filter.ts'
import { normalOf } from './normal.ts'

const opened: Filter = { did: 'message.opened', within: '30 days' }
const clicked: Filter = { did: 'message.clicked', within: '30 days' }
const submitted: Filter = { did: 'form.submitted', within: '30 days' }
const vip: Filter = { tag: 'vip' }
const staff: Filter = { tag: 'staff' }
const not = (filter: Filter): Filter => ({ not: filter })

test('alternative events in the same window are normalised to one lookup', () => {
  const flat = normalOf({ or: [opened, clicked, submitted] })
  assert.deepEqual(flat, { oneOf: [opened, clicked, submitted], isNegated: false })
  assert.deepEqual(normalOf({ or: [{ or: [opened, clicked] }, submitted] }), flat)
  assert.deepEqual(normalOf(not({ and: [not(opened), not(clicked), not(submitted)] })), flat)
})

test('excluded events in the same window are normalised to one lookup', () => {
  const neither = normalOf({
    and: [
      vip,
      { did_not: 'message.bounced', within: '90 days' },
      { did_not: 'form.submitted', within: '90 days' },
    ],
  })
  const events = ['message.bounced', 'form.submitted'].map((did) => ({ did, within: '90 days' }))
  const looks = { oneOf: events, isNegated: true }
  assert.deepEqual(neither, { all: [looks, { condition: vip, isNegated: false }] })
  assert.deepEqual(normalOf({ and: [vip, not({ or: events })] }), neither)
})

test('who is not known to have opened is asked for beside who did not', () => {
  const absence: Filter = { did_not: 'message.opened', within: '30 days' }
  assert.deepEqual(normalOf(absence), {
    all: [
      { oneOf: [opened], isNegated: true },
      { known: opened, isNegated: false },
    ],
  })
  assert.deepEqual(normalOf(not(absence)), {
    any: [
      { oneOf: [opened], isNegated: false },
      { known: opened, isNegated: true },
    ],
  })
  const byAnything = { did: 'message.opened', machines: true }
  assert.deepEqual(normalOf({ did_not: 'message.opened', machines: true }), {
    oneOf: [byAnything],
    isNegated: true,
  })
})

test('events that must all occur, or that differ in more than the event, stay separate lookups', () => {
  const both = normalOf({ and: [opened, clicked] })
  assert.ok('all' in both && both.all.length === 2)
  const other = normalOf({ or: [opened, { did: 'message.clicked', within: '7 days' }] })
  assert.ok('any' in other && other.any.length === 2)
  const kinds = normalOf({ or: [opened, { did: 'order', within: '30 days' }] })
  assert.ok('any' in kinds && kinds.any.length === 2)
  const counted = normalOf({ or: [opened, { ...clicked, at_least: 2 } as Filter] })
  assert.ok('any' in counted && counted.any.length === 2)
})

test('redundant nesting is removed, and negations are moved to the leaves', () => {
  const leaf = (condition: Filter, isNegated = false) => ({ condition, isNegated })
  assert.deepEqual(normalOf(not(not(vip))), leaf(vip))
  assert.deepEqual(normalOf({ and: [{ and: [vip] }, { or: [staff] }] }), {
    all: [leaf(vip), leaf(staff)],
  })
  assert.deepEqual(normalOf(not({ or: [vip, not(staff)] })), {
    all: [leaf(vip, true), leaf(staff)],
  })
})
