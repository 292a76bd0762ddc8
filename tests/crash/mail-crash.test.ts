import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { mailLoop } from './support/loops/mail-loop.ts'
import { twoRelaysLoop } from './support/loops/two-relays-loop.ts'

const skip = withoutSmtpSink() ?? false
const connections = 8

// A few kills; `npm run soak` runs longer. CRASH_SEED repeats a run.
test('mail survives kill -9: no message is lost, marketing is never sent twice, few are in doubt', {
  skip,
}, async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const report = await mailLoop({ messages: 1000, kills: 4, connections, seed, endsLeases: true })
  t.diagnostic(JSON.stringify(report))
  assert.equal(report.sent, 1000)
  assert.equal(report.lost, 0)
  assert.equal(report.marketingTwice, 0)
  for (const { inDoubt } of report.kills) assert.ok(inDoubt <= connections, `${inDoubt} in doubt`)
  const inDoubt = report.kills.reduce((sum, kill) => sum + kill.inDoubt, 0)
  assert.ok(report.unknown <= inDoubt)
  assert.ok(report.transactionalTwice <= inDoubt)
  const interrupted = report.kills.some(({ underWay }) => underWay > 0)
  assert.ok(interrupted, 'no kill interrupted anything, which proves nothing')
})

test('two relays that take over from each other survive kill -9: nothing is lost, marketing never sent twice', {
  skip,
}, async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const report = await twoRelaysLoop({
    messages: 600,
    kills: 3,
    connections,
    seed,
    endsLeases: true,
  })
  t.diagnostic(JSON.stringify(report))
  assert.equal(report.sent, 600)
  assert.equal(report.lost, 0)
  assert.equal(report.marketingTwice, 0)
  // An attempt uses one connection of either relay at a time.
  for (const { inDoubt } of report.kills)
    assert.ok(inDoubt <= 2 * connections, `${inDoubt} in doubt`)
  const { byRelay, refused } = report
  assert.ok(byRelay.refusing > 0 && byRelay.other > 0 && refused > 0, JSON.stringify(byRelay))
  const interrupted = report.kills.some(({ underWay }) => underWay > 0)
  assert.ok(interrupted, 'no kill interrupted anything, which proves nothing')
})
