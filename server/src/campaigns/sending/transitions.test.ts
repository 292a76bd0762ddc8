import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  countsOf,
  draftTo,
  type Running,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { sinkTestbed } from '../../../../tests/support/mail/sink-testbed.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../../lib/db/db.ts'
import {
  type CampaignTransition,
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
} from './transitions.ts'

/** Messages a second that the relay's rate allows: few enough to stop a campaign in the middle. */
const perSecond = 100

const bench = sinkTestbed(`?pool=4&rate=${perSecond}&warmup=no`)
const { skip } = bench

const actions = {
  pause: (tx: Parameters<typeof cancelCampaign>[0], asked: CampaignTransition, now: Date) =>
    pauseCampaign(tx, asked, 'requested', now),
  resume: resumeCampaign,
  cancel: cancelCampaign,
}

function steer({ businessId, campaignId }: Running, action: keyof typeof actions) {
  return bench.testbed.db.tx((tx) =>
    actions[action](tx, { businessId, id: campaignId }, new Date()),
  )
}

/** The number of recipients in the state `sent`. */
const gone = async (running: Running) => (await standings(running))['sent'] ?? 0

const underWay = (running: Running) =>
  eventually(
    () => gone(running),
    (n) => n > 20,
  )

/** Waits until no message is being sent. */
async function calm({ campaignId }: Running): Promise<void> {
  await eventually(
    () =>
      bench.testbed.db.one<{ n: number }>(sql`
        select count(*)::int as n from messages
        where campaign_id = ${campaignId} and state = 'attempting'
      `),
    ({ n }) => n === 0,
  )
}

test('a pause takes effect within a second whatever is queued, and a resume sends the rest', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 400)
  await sendOff(running)
  await underWay(running)
  await steer(running, 'pause')
  const atPause = await gone(running)
  await calm(running)
  const before = await gone(running)
  // Compares by sent messages, not by the clock, which also counts waiting for a core.
  assert.ok(before - atPause < perSecond, `${before - atPause} went after the pause`)
  assert.ok(before < 400)
  await sleep(1_500)
  assert.equal(await gone(running), before)
  await steer(running, 'resume')
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 400 })
})

test('resuming right after a pause loses no recipient', { skip }, async () => {
  const running = await draftTo(bench.testbed, 200)
  await sendOff(running)
  for (let n = 0; n < 6; n++) {
    await steer(running, 'pause')
    await sleep(n * 60)
    await steer(running, 'resume')
    await sleep(n * 30)
  }
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 200 })
})

test('a campaign paused during its freeze continues from there when resumed', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 50)
  await sendOff(running)
  await steer(running, 'pause')
  await eventually(
    () => standings(running),
    ({ pending, taken }) => (pending ?? 0) + (taken ?? 0) > 0,
  )
  await steer(running, 'resume')
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 50 })
})

test('the unsent recipients of a cancelled campaign are counted as cancelled and never sent to', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 4_500)
  await sendOff(running)
  await underWay(running)
  await steer(running, 'cancel')
  const ended = await eventually(
    () => standings(running),
    ({ pending, taken }) => !pending && !taken,
  )
  const { sent = 0, cancelled = 0 } = ended
  assert.ok(sent < 4_500)
  assert.equal(sent + cancelled, 4_500)
  assert.deepEqual(await countsOf(running), { sent, cancelled })
  await sleep(1_000)
  assert.equal(await gone(running), sent)
})

test('a paused campaign can be cancelled', { skip }, async () => {
  const running = await draftTo(bench.testbed, 300)
  await sendOff(running)
  await underWay(running)
  await steer(running, 'pause')
  await steer(running, 'cancel')
  const { sent = 0, cancelled } = await eventually(
    () => standings(running),
    ({ pending, taken }) => !pending && !taken,
  )
  assert.equal(cancelled, 300 - sent)
})
