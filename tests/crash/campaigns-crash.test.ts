import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { campaignLoop } from './support/loops/campaign-loop.ts'

const skip = withoutSmtpSink() ?? false
const connections = 8

// A few kills; `npm run soak` sends to 100,000 recipients. CRASH_SEED repeats a run.
test('a campaign survives kill -9, pauses and resumes: no recipient is lost or gets it twice', {
  skip,
}, async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const report = await campaignLoop({
    recipients: 1_500,
    kills: 3,
    connections,
    rate: 120,
    seed,
    endsLeases: true,
  })
  t.diagnostic(JSON.stringify(report))
  const { sent = 0, unknown = 0, ...others } = report.standings
  assert.deepEqual(others, {})
  assert.equal(sent + unknown, 1_500)
  assert.ok(unknown <= connections * report.kills, `${unknown} unknown`)
  const { twice, lost, untold, apart } = report
  assert.deepEqual({ twice, lost, untold, apart }, { twice: 0, lost: 0, untold: 0, apart: 0 })
})
