import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfRows } from './db.ts'

const row = { id: 'x'.repeat(90) }
const ofRow = JSON.stringify(row).length

test('the size of equal rows is their number times the size of one', () => {
  assert.equal(bytesOfRows(Array.from({ length: 200 }, () => row)), 200 * ofRow)
})

test('fewer than fifty rows are not counted as a large read', () => {
  assert.equal(bytesOfRows(Array.from({ length: 49 }, () => row)), 0)
  assert.ok(bytesOfRows(Array.from({ length: 50 }, () => row)) > 0)
})

test('the size of varied rows is estimated within a factor of two', () => {
  const rows = Array.from({ length: 101 }, (_, n) => ({ text: 'x'.repeat(n * 20) }))
  const all = JSON.stringify(rows).length
  const told = bytesOfRows(rows)
  assert.ok(told > all / 2 && told < all * 2, `${told} of ${all}`)
})
