import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { stopLoop, stopsWithinMs } from './support/loops/stop-loop.ts'

const skip = withoutSmtpSink() ?? false

// A small campaign and two workers; `npm run soak -- --only stop` has 200,000 recipients and eight.
test('Stop all sending acts within five seconds, and a resume loses and doubles nothing', {
  skip,
}, async (t) => {
  const report = await stopLoop({
    recipients: 3_000,
    workers: 2,
    connections: 8,
    rate: 150,
    sentBefore: 300,
    quietMs: 3_000,
  })
  t.diagnostic(JSON.stringify(report))
  assert.ok(report.queued > 1_000, 'most of it waited')
  assert.ok(report.lastAfterMs <= stopsWithinMs)
  assert.equal(report.sentWhileStopped, 0)
  assert.deepEqual(report.standings, { sent: 3_000 })
  assert.ok(report.ordered > 10)
  assert.equal(report.orderedSent, report.ordered)
  assert.deepEqual([report.twice, report.lost, report.untold], [0, 0, 0])
})
