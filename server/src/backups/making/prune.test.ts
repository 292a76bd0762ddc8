import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWalBefore, walFileAt } from '../../lib/backup/wal-names.ts'
import { isDue } from '../jobs.ts'
import { keptBackups, superfluous } from './prune.ts'

const day = 86_400_000
const made = (at: number) => ({ startedAt: new Date(at).toISOString() })
const monday = Date.parse('2026-11-23T02:00:00Z')

test('of a year of nightly backups, seven days and four weeks are kept, and always the newest', () => {
  const all = Array.from({ length: 365 }, (_, n) => made(monday + 3 * day - n * day))
  const gone = new Set(superfluous(all))
  const kept = all
    .filter((entry) => !gone.has(entry))
    .map(({ startedAt }) => startedAt.slice(0, 10))
  assert.deepEqual(kept, [
    '2026-11-26',
    '2026-11-25',
    '2026-11-24',
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-11-20',
    // The last day of the two earlier weeks; this week and last week have their copies above.
    '2026-11-15',
    '2026-11-08',
  ])
  assert.deepEqual([keptBackups.days, keptBackups.weeks], [7, 4])
})

test('of several backups on one day the last is kept, and a single old backup is never removed', () => {
  const [morning, noon] = [made(monday), made(monday + day / 2)]
  assert.deepEqual(superfluous([noon, morning]), [morning])
  assert.deepEqual(superfluous([made(0)]), [])
  assert.deepEqual(superfluous([]), [])
})

test('a WAL file from before the oldest backup is recognised by its name, on any timeline', () => {
  const first = walFileAt(1, '1/3000028')
  assert.equal(first, '000000010000000100000003')
  assert.ok(isWalBefore('000000010000000100000002', first))
  assert.ok(isWalBefore('0000000200000000000000FF', first))
  assert.ok(isWalBefore('000000010000000100000002.00000028.backup', first))
  assert.ok(!isWalBefore('000000010000000100000003', first))
  assert.ok(!isWalBefore('00000002.history', first))
  assert.ok(!isWalBefore('archtemp.000000010000000000000001.1.2', first))
})

test('a backup is due at night, and in the day only if the last night’s backup is missing', () => {
  const at = (hour: number) => new Date(`2026-11-24T${String(hour).padStart(2, '0')}:30:00Z`)
  const last = made(Date.parse('2026-11-23T02:30:00Z'))
  assert.ok(isDue(undefined, at(12)))
  assert.ok(isDue(last, at(2)))
  assert.ok(!isDue(last, at(1)))
  assert.ok(!isDue(made(at(2).getTime()), at(3)))
  assert.ok(isDue(last, at(5)))
  assert.ok(!isDue(made(Date.parse('2026-11-23T04:59:00Z')), at(6)))
})
