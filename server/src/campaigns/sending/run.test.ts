import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  countsOf,
  draftTo,
  relaySettings,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
import {
  type SmtpSink,
  startSmtpSink,
  withoutSmtpSink,
} from '../../../../tests/support/mail/smtp-sink.ts'

const skip = withoutSmtpSink() ?? false

let sink: SmtpSink
let testbed: OwnTestbed
before(async () => {
  if (skip) return
  sink = await startSmtpSink({ keep: true })
  testbed = await openTestbed(relaySettings(sink.url('?pool=5&warmup=no')))
})
after(async () => {
  await testbed?.close()
  await sink?.stop()
})

test('every recipient of the audience is sent the campaign once, and then it is completed', {
  skip,
}, async () => {
  const running = await draftTo(testbed, 1_500)
  await running.scene.contact({ email: 'quiet@example.com' })
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 1_500, 'skipped:not_subscribed': 1 })
  assert.deepEqual(await countsOf(running), { sent: 1_500, 'skipped:not_subscribed': 1 })
  const ids = (await sink.messages()).map((text) => /^Message-ID: (.*)$/m.exec(text)?.[1])
  assert.equal(ids.length, 1_500)
  assert.equal(new Set(ids).size, 1_500)
  const events = await eventsOf(testbed.db, running.scene.businessId)
  const [completed, ...more] = events.filter(({ type }) => type === 'campaign.completed')
  const { status, recipients, sent } = completed?.data ?? {}
  assert.deepEqual([status, recipients, sent, more], ['completed', 1_500, 1_500, []])
})

test('a campaign without recipients is completed at once', { skip }, async () => {
  const running = await draftTo(testbed, 0)
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), {})
})
