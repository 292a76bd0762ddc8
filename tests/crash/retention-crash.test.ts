import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { retentionLoop } from './support/loops/retention-loop.ts'

// Some thousands of people here; `npm run soak` has 200,000. CRASH_SEED repeats a run.
test('a night of retention that is killed deletes what is past its months, and nothing else', async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const { kills, nightSeconds, allSeconds, longest } = await retentionLoop({
    people: 4_000,
    kills: 2,
    seed,
  })
  t.diagnostic(
    `${kills} kills, night ${nightSeconds.toFixed(1)} s, all ${allSeconds.toFixed(1)} s, ${JSON.stringify(longest)}`,
  )
  assert.ok(kills > 0, 'nothing was killed')
})
