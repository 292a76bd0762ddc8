import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfRows } from './rows-size.ts'

const row = { id: 'x'.repeat(90) }
const ofRow = JSON.stringify(row).length

test('rows that are alike are as large as they all are', () => {
  assert.equal(bytesOfRows(Array.from({ length: 200 }, () => row)), 200 * ofRow)
})

test('a few rows are no large read', () => {
  assert.equal(bytesOfRows(Array.from({ length: 49 }, () => row)), 0)
  assert.ok(bytesOfRows(Array.from({ length: 50 }, () => row)) > 0)
})

test('of rows that differ it is told to half and double', () => {
  const rows = Array.from({ length: 101 }, (_, n) => ({ text: 'x'.repeat(n * 20) }))
  const all = JSON.stringify(rows).length
  const told = bytesOfRows(rows)
  assert.ok(told > all / 2 && told < all * 2, `${told} of ${all}`)
})
