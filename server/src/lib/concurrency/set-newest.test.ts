import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setNewest } from './set-newest.ts'

test('setNewest removes the entry set longest ago when the map exceeds its limit', () => {
  const map = new Map<string, number>()
  for (const [i, key] of ['a', 'b', 'a', 'c', 'd'].entries()) setNewest(map, [key, i], 3)
  assert.deepEqual(
    [...map],
    [
      ['a', 2],
      ['c', 3],
      ['d', 4],
    ],
  )
})
