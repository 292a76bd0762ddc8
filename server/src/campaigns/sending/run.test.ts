import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  countsOf,
  draftTo,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
import { sinkTestbed } from '../../../../tests/support/mail/sink-testbed.ts'

const bench = sinkTestbed('?pool=5&warmup=no', { sink: { keep: true } })
const { skip } = bench

test('every recipient of the audience is sent the campaign once, and then it is completed', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 1_500)
  await running.scene.contact({ email: 'quiet@example.com' })
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 1_500, 'skipped:not_subscribed': 1 })
  assert.deepEqual(await countsOf(running), { sent: 1_500, 'skipped:not_subscribed': 1 })
  const ids = (await bench.sink.messages()).map((text) => /^Message-ID: (.*)$/m.exec(text)?.[1])
  assert.equal(ids.length, 1_500)
  assert.equal(new Set(ids).size, 1_500)
  const events = await eventsOf(bench.testbed.db, running.scene.businessId)
  const [completed, ...more] = events.filter(({ type }) => type === 'campaign.completed')
  const { status, recipients, sent } = completed?.data ?? {}
  assert.deepEqual([status, recipients, sent, more], ['completed', 1_500, 1_500, []])
})

test('a campaign without recipients is completed at once', { skip }, async () => {
  const running = await draftTo(bench.testbed, 0)
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), {})
})
