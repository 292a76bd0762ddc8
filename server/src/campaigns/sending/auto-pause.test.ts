import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  sendOff,
  standings,
  stateOf,
} from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  relaySettings,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import {
  type SmtpSink,
  startSmtpSink,
  withoutSmtpSink,
} from '../../../../tests/support/mail/smtp-sink.ts'
import { sql } from '../../lib/db/db.ts'
import { autoPauseOf } from './auto-pause.ts'
import { resumeCampaign } from './transitions.ts'

const skip = withoutSmtpSink() ?? false

let sink: SmtpSink
let testbed: OwnTestbed
before(async () => {
  if (skip) return
  sink = await startSmtpSink({ flags: ['-f', 'RCPT', '-B', '550 5.1.1 Nobody of that name'] })
  testbed = await openTestbed(
    relaySettings(sink.url('?pool=4&warmup=no'), { CANARY_SECONDS: '600' }),
  )
})
after(async () => {
  await testbed?.close()
  await sink?.stop()
})

const none = { sent: 0, bounced: 0, complained: 0 }

test('more than 5 % hard bounces or 0.3 % complaints trigger the auto-pause', () => {
  const of = (sent: number, bounced: number, complained = 0) =>
    autoPauseOf({ sent, bounced, complained }, none)
  assert.equal(of(1_000, 50), undefined)
  assert.equal(of(1_000, 51), 'bounce_rate')
  assert.equal(of(1_000, 0, 3), undefined)
  assert.equal(of(1_000, 0, 4), 'complaint_rate')
  // A few failures among few messages are chance.
  assert.equal(of(20, 4), undefined)
  assert.equal(of(20, 5), 'bounce_rate')
  assert.equal(of(100, 0, 1), undefined)
})

test('after a person has resumed a campaign, only later bounces and complaints count', () => {
  const from = { sent: 100, bounced: 90, complained: 0 }
  assert.equal(autoPauseOf({ sent: 300, bounced: 98, complained: 0 }, from), undefined)
  assert.equal(autoPauseOf({ sent: 300, bounced: 101, complained: 0 }, from), 'bounce_rate')
})

test('a campaign whose first 2 % bounce is paused, and the other recipients are not sent to', {
  skip,
}, async () => {
  const running = await draftTo(testbed, 1_500)
  await sendOff(running)
  assert.equal(await awaitState(running, 'paused'), 'paused')
  const { bounced = 0, taken = 0, pending } = await standings(running)
  assert.equal(bounced + taken, 30)
  assert.equal(pending, 1_470)
  const { why } = await testbed.db.one<{ why: string }>(sql`
    select pause_reason as why from campaigns where id = ${running.campaignId}
  `)
  assert.equal(why, 'bounce_rate')
  const { data } = await testbed.db.one<{ data: { reason: string } }>(sql`
    select body::json -> 'data' as data from events
    where business_id = ${running.businessId} and type = 'campaign.paused'
  `)
  assert.equal(data.reason, 'bounce_rate')
  // The person who resumes has seen these bounces, so the automatic pause waits for new ones.
  const { businessId, campaignId } = running
  await testbed.db.tx((tx) => resumeCampaign(tx, { businessId, id: campaignId }, new Date()))
  assert.equal(await stateOf(running), 'deployed')
})

test('a small campaign without a canary is also paused automatically', { skip }, async () => {
  const running = await draftTo(testbed, 900)
  await sendOff(running)
  assert.equal(await awaitState(running, 'paused'), 'paused')
})
