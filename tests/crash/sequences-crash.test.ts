import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { sequenceLoop } from './support/loops/sequence-loop.ts'

// A few kills; `npm run soak -- --only sequences` has more people. CRASH_SEED repeats a run.
test('by kill -9 and a clock that jumps nobody in a sequence gets a step twice, and nobody is lost', async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const { inside, mails } = await sequenceLoop({ people: 300, kills: 3, seed })
  t.diagnostic(`${mails} mails; inside at the kills: ${inside.join(', ')}`)
  assert.ok(Math.max(...inside) > 0, 'nobody was inside at any kill')
})
