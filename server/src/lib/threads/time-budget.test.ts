import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeBudget } from './time-budget.ts'

test('a time budget is full at first, is used up at its last millisecond, and refills evenly', () => {
  let now = 0
  const budget = createTimeBudget(6_000, () => now)
  assert.equal(budget.secondsUntilLeft('a'), 0)
  budget.spend('a', 5_999)
  assert.equal(budget.secondsUntilLeft('a'), 0)
  budget.spend('a', 1)
  // A tenth of a second returns each second, and waiting is worthwhile for one whole second.
  assert.equal(budget.secondsUntilLeft('a'), 10)
  assert.equal(budget.secondsUntilLeft('b'), 0)
  now = 9_001
  assert.equal(budget.secondsUntilLeft('a'), 1)
  now = 10_000
  assert.equal(budget.secondsUntilLeft('a'), 0)
  budget.spend('a', 999)
  assert.equal(budget.secondsUntilLeft('a'), 0)
  budget.spend('a', 1)
  assert.equal(budget.secondsUntilLeft('a'), 10)
  now = 10_000 + 60_000
  budget.spend('a', 5_999)
  assert.equal(budget.secondsUntilLeft('a'), 0)
})
