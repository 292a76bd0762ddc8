import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { withoutSmsc } from '../support/sms/smsc.ts'
import { textLoop } from './support/loops/text-loop.ts'

const skip = withoutSmsc() ?? false
const window = 8

// A few kills; `npm run soak` runs longer. CRASH_SEED repeats a run.
test('texts survive kill -9: no text is lost, marketing is never sent twice, few are in doubt', {
  skip,
}, async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const report = await textLoop({ messages: 1000, kills: 4, window, seed, endsLeases: true })
  t.diagnostic(JSON.stringify(report))
  assert.equal(report.sent, 1000)
  assert.equal(report.lost, 0)
  assert.equal(report.marketingTwice, 0)
  for (const { inDoubt } of report.kills) assert.ok(inDoubt <= window, `${inDoubt} in doubt`)
  const inDoubt = report.kills.reduce((sum, kill) => sum + kill.inDoubt, 0)
  assert.ok(report.unknown <= inDoubt)
  assert.ok(report.transactionalTwice <= inDoubt)
  const interrupted = report.kills.some(({ underWay }) => underWay > 0)
  assert.ok(interrupted, 'no kill interrupted anything, which proves nothing')
})
