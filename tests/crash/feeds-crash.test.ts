import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { feedLoop } from './support/loops/feed-loop.ts'

const skip = withoutSmtpSink() ?? false

// CRASH_SEED repeats a run, FEED_KILLS makes it longer.
test('a blog by mail survives kill -9: nobody gets a post twice, or misses one', {
  skip,
}, async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const kills = Number(process.env['FEED_KILLS'] ?? 4)
  const report = await feedLoop({ people: 40, kills, seed })
  t.diagnostic(JSON.stringify(report))
  const { posts, issues, twice, missing, unknown } = report
  assert.equal(twice, 0)
  // A mail whose answer a kill took may have arrived all the same.
  assert.ok(missing <= unknown * posts, `${missing} missing, ${unknown} unknown`)
  assert.ok(issues > 0)
})
