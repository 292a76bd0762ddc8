import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { sequenceLoop } from './support/loops/sequence-loop.ts'

// A few kills; `npm run soak -- --only sequences` has more people. CRASH_SEED repeats a run.
test('by kill -9, a clock that jumps and a restore nobody in a sequence gets a step twice, and nobody is lost', async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const outcome = await sequenceLoop({ people: 300, kills: 5, seed })
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(Math.max(...outcome.inside) > 0, 'nobody was inside at any kill')
  assert.ok(outcome.lostMails > 0, 'the restore lost no mail')
})
