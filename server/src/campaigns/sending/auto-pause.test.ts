import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  sendOff,
  standings,
  stateOf,
} from '../../../../tests/support/businesses/campaign-drafts.ts'
import { awaitState, draftTo } from '../../../../tests/support/businesses/campaign-runs.ts'
import { sinkTestbed } from '../../../../tests/support/mail/sink-testbed.ts'
import { sql } from '../../lib/db/db.ts'
import { autoPauseOf } from './auto-pause.ts'
import { resumeCampaign } from './transitions.ts'

const bench = sinkTestbed('?pool=4&warmup=no', {
  sink: { flags: ['-f', 'RCPT', '-B', '550 5.1.1 Nobody of that name'] },
  settings: { CANARY_SECONDS: '600' },
})
const { skip } = bench

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

test('recipients whose provider reports no complaints do not dilute those of the others', () => {
  const of = (silent: number, complained: number) =>
    autoPauseOf({ sent: 2_000, silent, bounced: 0, complained }, { ...none, silent: 0 })
  assert.equal(of(0, 4), undefined)
  assert.equal(of(1_000, 3), undefined)
  assert.equal(of(1_000, 4), 'complaint_rate')
  // A run that began before they were counted is judged as it was.
  assert.equal(
    autoPauseOf({ sent: 2_000, silent: 1_000, bounced: 0, complained: 4 }, none),
    undefined,
  )
})

test('after a person has resumed a campaign, only later bounces and complaints count', () => {
  const from = { sent: 100, bounced: 90, complained: 0 }
  assert.equal(autoPauseOf({ sent: 300, bounced: 98, complained: 0 }, from), undefined)
  assert.equal(autoPauseOf({ sent: 300, bounced: 101, complained: 0 }, from), 'bounce_rate')
})

test('a campaign whose first 2 % bounce is paused, and the other recipients are not sent to', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 1_500)
  await sendOff(running)
  assert.equal(await awaitState(running, 'paused'), 'paused')
  const { bounced = 0, taken = 0, pending } = await standings(running)
  assert.equal(bounced + taken, 30)
  assert.equal(pending, 1_470)
  const { why } = await bench.testbed.db.one<{ why: string }>(sql`
    select pause_reason as why from campaigns where id = ${running.campaignId}
  `)
  assert.equal(why, 'bounce_rate')
  const { data } = await bench.testbed.db.one<{ data: { reason: string } }>(sql`
    select body::json -> 'data' as data from events
    where business_id = ${running.businessId} and type = 'campaign.paused'
  `)
  assert.equal(data.reason, 'bounce_rate')
  // The person who resumes has seen these bounces, so the automatic pause waits for new ones.
  const { businessId, campaignId } = running
  await bench.testbed.db.tx((tx) => resumeCampaign(tx, { businessId, id: campaignId }, new Date()))
  assert.equal(await stateOf(running), 'deployed')
})

test('a small campaign without a canary is also paused automatically', { skip }, async () => {
  const running = await draftTo(bench.testbed, 900)
  await sendOff(running)
  assert.equal(await awaitState(running, 'paused'), 'paused')
})
