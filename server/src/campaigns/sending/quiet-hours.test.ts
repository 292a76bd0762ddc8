/** A campaign's texts in quiet hours: they wait for the morning, and nothing else waits. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  sendOff,
  standings,
  stateOf,
} from '../../../../tests/support/businesses/campaign-drafts.ts'
import { awaitState } from '../../../../tests/support/businesses/campaign-runs.ts'
import { campaignScene, yes } from '../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../../tests/support/time/shifted-clock.ts'
import { parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { days, hours, seconds } from '../../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ clock })
})
after(() => testbed.close())

/** Noon UTC: 13:00 in Paris, 17:30 in Kolkata, 21:00 in Tokyo. */
function nextNoon(now: Date): Date {
  const today = new Date(`${now.toISOString().slice(0, 10)}T12:00:00Z`)
  return today > now ? today : new Date(today.getTime() + days(1))
}

test('each recipient gets a text in their own daytime, and the campaign completes with the last one', async () => {
  const scene = await campaignScene(testbed)
  const people = [
    ['+33612345601', 'Europe/Paris'],
    ['+33612345602', 'Europe/London'],
    ['+33612345603', 'Asia/Dubai'],
    ['+33612345604', 'Asia/Tokyo'],
    ['+33612345605', 'Asia/Kolkata'],
  ] as const
  for (const [phone, time_zone] of people) {
    await scene.contact({ phone, consent: { sms: yes }, attributes: { time_zone } })
  }
  const content = { text: 'Shop: new classes. Reply STOP to opt out.' }
  const { campaign_id } = await scene.draft({ channel: 'sms', content })
  // A session survives the skipped hours, which a token does not.
  const app = await testbed.appCaller({ businesses: [scene.businessId] })
  const noon = nextNoon(clock.now())
  clock.forward(noon.getTime() - clock.now().getTime())
  const { body } = await app.call('campaign.preview', { campaign_id })
  assert.partialDeepStrictEqual(body, { recipients: 5, held: 1, excluded: [] })
  const campaignId = parseId('campaign', campaign_id)
  assert.ok(campaignId)
  const running = { db: testbed.db, businessId: scene.businessId, campaignId }
  await sendOff(running)
  await eventually(
    () => standings(running),
    ({ sent }) => sent === 4,
  )
  const waiting = await testbed.db.all<{ phone: string; reason: string; due: Date }>(sql`
    select c.phone, r.reason, r.due_at as due from campaign_recipients r
    join contacts c on c.business_id = r.business_id and c.id = r.contact_id
    where r.campaign_id = ${campaignId} and r.state = 'pending'
  `)
  // The text is due at nine in the morning there; noon UTC is nine in the evening.
  assert.deepEqual(waiting, [
    { phone: '+33612345604', reason: 'quiet_hours', due: new Date(noon.getTime() + hours(12)) },
  ])
  assert.equal(await stateOf(running), 'deployed')

  clock.forward(hours(11))
  await eventually(
    () =>
      testbed.db.one<{ n: number }>(
        sql`select count(*)::int as n from jobs where lease is not null`,
      ),
    ({ n }) => n === 0,
    seconds(5),
  )
  assert.deepEqual(await standings(running), { pending: 1, sent: 4 })
  clock.forward(hours(1))
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 5 })
  const texts = await testbed.db.all<{ phone: string }>(sql`
    select phone from inbox_texts where phone = any (${people.map(([phone]) => phone)})
  `)
  assert.equal(texts.length, 5)
})
