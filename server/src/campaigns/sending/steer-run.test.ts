import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  countsOf,
  draftTo,
  type Running,
  relaySettings,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import {
  type SmtpSink,
  startSmtpSink,
  withoutSmtpSink,
} from '../../../../tests/support/mail/smtp-sink.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../../lib/db/db.ts'
import {
  type CampaignTransition,
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
} from './transitions.ts'

const skip = withoutSmtpSink() ?? false

/** Messages that the relay's rate lets go in a second. */
const perSecond = 100

let sink: SmtpSink
let testbed: OwnTestbed
before(async () => {
  if (skip) return
  sink = await startSmtpSink()
  // Slow enough to be stopped in the middle.
  testbed = await openTestbed(relaySettings(sink.url(`?pool=4&rate=${perSecond}&warmup=no`)))
})
after(async () => {
  await testbed?.close()
  await sink?.stop()
})

const actions = {
  pause: (tx: Parameters<typeof cancelCampaign>[0], asked: CampaignTransition, now: Date) =>
    pauseCampaign(tx, asked, 'requested', now),
  resume: resumeCampaign,
  cancel: cancelCampaign,
}

function steer({ businessId, campaignId }: Running, action: keyof typeof actions) {
  return testbed.db.tx((tx) => actions[action](tx, { businessId, id: campaignId }, new Date()))
}

/** Messages that the relay took, or of which nobody knows. */
const gone = async (running: Running) => (await standings(running))['sent'] ?? 0

const underWay = (running: Running) =>
  eventually(
    () => gone(running),
    (n) => n > 20,
  )

/** No message is on a line. */
async function calm({ campaignId }: Running): Promise<void> {
  await eventually(
    () =>
      testbed.db.one<{ n: number }>(sql`
        select count(*)::int as n from messages
        where campaign_id = ${campaignId} and state = 'attempting'
      `),
    ({ n }) => n === 0,
  )
}

test('a pause holds within a second whatever is queued, and a resume sends the rest', {
  skip,
}, async () => {
  const running = await draftTo(testbed, 400)
  await sendOff(running)
  await underWay(running)
  await steer(running, 'pause')
  const atPause = await gone(running)
  await calm(running)
  const before = await gone(running)
  // By what went, not by the clock, which also counts the waiting for a core.
  assert.ok(before - atPause < perSecond, `${before - atPause} went after the pause`)
  assert.ok(before < 400)
  await sleep(1_500)
  assert.equal(await gone(running), before)
  await steer(running, 'resume')
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 400 })
})

test('a resume right after a pause loses nobody', { skip }, async () => {
  const running = await draftTo(testbed, 200)
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

test('a campaign that is paused while it is frozen goes on where it was', { skip }, async () => {
  const running = await draftTo(testbed, 50)
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

test('what was not sent of a cancelled one is told so, and stays unsent', { skip }, async () => {
  const running = await draftTo(testbed, 4_500)
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

test('one that was paused can be cancelled', { skip }, async () => {
  const running = await draftTo(testbed, 300)
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
