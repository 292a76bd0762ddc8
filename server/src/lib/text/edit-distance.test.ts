import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from './nearest.ts'

test('the distance counts characters that are inserted, deleted or replaced', () => {
  for (const [from, to, distance] of [
    ['', '', 0],
    ['', 'port', 4],
    ['port', '', 4],
    ['gmail.com', 'gmail.com', 0],
    ['gmial.com', 'gmail.com', 2],
    ['gmai.com', 'gmail.com', 1],
    ['gmaill.com', 'gmail.com', 1],
    ['kitten', 'sitting', 3],
    ['saturday', 'sunday', 3],
  ] as const) {
    assert.equal(editDistance(from, to), distance, `${from} to ${to}`)
  }
})

test('some edits are at most so far apart, whatever the text, and as far in both directions', () => {
  const edit = fc.record({
    at: fc.nat(12),
    drop: fc.nat(1),
    put: fc.constantFrom('', 'a', 'b'),
  })
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
      fc.array(edit),
      (text, edits) => {
        const changed = edits.reduce(
          (before, { at, drop, put }) => before.slice(0, at) + put + before.slice(at + drop),
          text,
        )
        const distance = editDistance(text, changed)
        assert.ok(distance <= edits.length)
        assert.ok(distance >= Math.abs(text.length - changed.length))
        assert.equal(distance === 0, text === changed)
        assert.equal(editDistance(changed, text), distance)
        for (const limit of [0, 1, 2, 5]) {
          const bounded = editDistance(text, changed, limit)
          assert.ok(distance <= limit ? bounded === distance : bounded > limit)
        }
      },
    ),
  )
})
