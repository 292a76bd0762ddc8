import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressLine } from './upgrade.ts'

test('the progress line of a conversion shows how far it is, its rate and the time left', () => {
  const half = { rows: 500_000, ofRows: 1_000_000, bytes: 200e6, elapsed: 4_000 }
  assert.equal(
    progressLine(half),
    '[############............] 50 %, 500,000 of 1,000,000 rows, 125,000 rows/s, 50.0 MB/s, 4 s left',
  )
  const slow = progressLine({ ...half, rows: 100_000, elapsed: 60_000 })
  assert.match(slow, /^\[##\.{22}\] 10 %, .* 1,667 rows\/s, 3\.3 MB\/s, 9 min 0 s left$/)
  assert.match(
    progressLine({ ...half, rows: 0, elapsed: 0 }),
    / 0 of 1,000,000 rows, 0 rows\/s,[^,]*$/,
  )
  const empty = progressLine({ rows: 0, ofRows: 0, bytes: 0, elapsed: 5 })
  assert.match(empty, /^\[#{24}\] 100 %, 0 of 0 rows/)
})
