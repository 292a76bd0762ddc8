import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWalBefore, walFileAt } from '../../lib/backup/wal-names.ts'
import { isDue } from '../jobs.ts'
import { type Backup, newestFirst, newestGood } from '../model/backup.ts'
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

const failed = { failedAt: '2026-11-24T09:00:00Z', failure: 'damaged' }

test('a failed backup keeps no day, and the last good one is never removed for it', () => {
  const [morning, noon] = [made(monday), { ...made(monday + day / 2), ...failed }]
  // The failed one is the newest: it stays to be seen, and the good one of that day stays too.
  assert.deepEqual(superfluous([noon, morning]), [])
  const evening = made(monday + 0.8 * day)
  assert.deepEqual(superfluous([evening, noon, morning]), [noon, morning])
  const all = Array.from({ length: 30 }, (_, n) => ({ ...made(monday - n * day), ...failed }))
  assert.deepEqual(superfluous(all), [], 'without a good one, all stay')
  const old = made(monday - 40 * day)
  assert.deepEqual(superfluous([...all, old]), [])
})

const inLog = (at: number, startLsn: string, more: object = {}) =>
  ({ ...made(at), name: `at ${startLsn}`, systemId: '7', timeline: 1, startLsn, ...more }) as Backup

test('a backup from a clock that was ahead is in its place in the log, and its age is unknown', () => {
  const ahead = inLog(monday + 400 * day, '0/3000028')
  const before = inLog(monday - day, '0/2000028')
  const after = inLog(monday + day, '1/28')
  assert.deepEqual(newestFirst([before, ahead, after]), [after, ahead, before])
  // It counts for a day at most up to the next one, so that no later day goes without.
  assert.deepEqual(superfluous([after, ahead, before]), [ahead])
  const now = new Date(monday + day)
  assert.equal(newestGood([ahead, before], now), before)
  assert.equal(newestGood([{ ...after, ...failed }, ahead, before], now), before)
  assert.equal(newestGood([ahead], now), undefined)
})
