import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import { suppress } from '../../contacts/suppressions/suppression.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { days, later, systemClock } from '../../lib/time/clock.ts'
import { audienceRows } from './audience.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Plan {
  recipients: number
  excluded: { reason: string; count: number }[]
  cost: { metric: string; amount: number; left: number | null }
  plan_hash: string
}
type Scene = Awaited<ReturnType<typeof campaignScene>>

const plan = ({ owner }: Scene, campaign_id: string) =>
  owner.get<Plan>('campaign.preview', { campaign_id })
const reasons = ({ excluded }: Plan) =>
  Object.fromEntries(excluded.map(({ reason, count }) => [reason, count]))

function suppressEmail(
  { businessId }: Scene,
  address: string,
  reason: 'bounce' | 'complaint',
): Promise<void> {
  const entry = {
    businessId,
    channel: 'email' as const,
    topic: null,
    address,
    reason,
    source: 'test',
  }
  const { hmac } = testbed.service.vault
  return testbed.db.tx((tx) => suppress(tx, hmac, [entry], systemClock.now()))
}

async function everyKind(scene: Scene) {
  await scene.subscribers(3, { tags: ['vip'] })
  await scene.contact({ email: 'quiet@example.com', tags: ['vip'] })
  const no = { email: { status: 'unsubscribed', source: 'told us' } }
  await scene.contact({ email: 'left@example.com', consent: no })
  await scene.contact({ phone: '+33612345678', consent: { sms: yes }, tags: ['vip'] })
  for (const who of ['bounced', 'angry']) {
    await scene.contact({ email: `${who}@example.com`, consent: { email: yes } })
  }
  await suppressEmail(scene, 'bounced@example.com', 'bounce')
  await suppressEmail(scene, 'angry@example.com', 'complaint')
}

test('every contact of an audience is counted once, as a recipient or by a reason for exclusion', async () => {
  const scene = await campaignScene(testbed)
  await everyKind(scene)
  const all = await plan(scene, (await scene.draft()).campaign_id)
  assert.equal(all.recipients, 3)
  assert.deepEqual(reasons(all), { no_email: 1, not_subscribed: 2, invalid: 1, suppressed: 1 })
  assert.deepEqual(all.cost, { metric: 'emails', amount: 3, left: null })
  const { campaign_id } = await scene.draft({ audience: { tags: ['vip', 'other'] } })
  const some = await plan(scene, campaign_id)
  assert.equal(some.recipients, 3)
  assert.deepEqual(reasons(some), { no_email: 1, not_subscribed: 1 })
})

test('the audience of a text campaign is decided by phone numbers and SMS consent', async () => {
  const scene = await campaignScene(testbed)
  await everyKind(scene)
  const { campaign_id } = await scene.draft({ channel: 'sms', content: { text: 'Hello. STOP' } })
  const texts = await plan(scene, campaign_id)
  assert.equal(texts.recipients, 1)
  assert.deepEqual(reasons(texts), { no_phone: 7 })
  assert.equal(texts.cost.metric, 'sms')
})

test('the rest of the tier’s monthly quota is given to contacts in order, to the last message', async () => {
  const scene = await campaignScene(testbed, 'free')
  await scene.subscribers(5)
  await testbed.db.run(sql`
    insert into usage_months (business_id, metric, month, amount)
    values (${scene.businessId}, 'emails', date_trunc('month', ${systemClock.now()}::timestamptz
      at time zone 'utc'), 997)
  `)
  const short = await plan(scene, (await scene.draft()).campaign_id)
  assert.equal(short.recipients, 3)
  assert.deepEqual(reasons(short), { tier_quota: 2 })
  assert.deepEqual(short.cost, { metric: 'emails', amount: 3, left: 3 })
})

test('contacts who were sent marketing within the given days are excluded', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(2)
  const send = { to: 'who-1@example.com', subject: 'Offer', text: 'Offer', kind: 'marketing' }
  await scene.owner.get('email.send', send)
  const within = (days: number) => ({ audience: { not_sent_within_days: days } })
  const week = await plan(scene, (await scene.draft(within(7))).campaign_id)
  assert.deepEqual([week.recipients, reasons(week)], [1, { sent_recently: 1 }])
  const before = later(systemClock.now(), -days(8))
  await testbed.db.run(sql`
    update messages set queued_at = ${before} where business_id = ${scene.businessId}
  `)
  const after = await plan(scene, (await scene.draft(within(7))).campaign_id)
  assert.deepEqual([after.recipients, reasons(after)], [2, {}])
})

test('suppressed contacts are excluded even if their addresses were never marked', async () => {
  const scene = await campaignScene(testbed)
  await everyKind(scene)
  await testbed.db.run(sql`
    update contacts set email_mark = null, phone_mark = null
    where business_id = ${scene.businessId}
  `)
  const all = await plan(scene, (await scene.draft()).campaign_id)
  assert.deepEqual(reasons(all), { no_email: 1, not_subscribed: 2, invalid: 1, suppressed: 1 })
})

test('an address keeps its suppression mark, and a new address gets a new mark', async () => {
  const scene = await campaignScene(testbed)
  const phone = '+33612345678'
  await scene.contact({ email: 'old@example.com', phone, consent: { email: yes } })
  await scene.contact({ email: 'old@example.com', name: 'Ana' })
  await suppressEmail(scene, 'old@example.com', 'complaint')
  const { campaign_id } = await scene.draft()
  assert.deepEqual(reasons(await plan(scene, campaign_id)), { suppressed: 1 })
  await scene.contact({ email: 'other@example.com', consent: { email: yes } })
  assert.equal((await plan(scene, campaign_id)).recipients, 1)
  await suppressEmail(scene, 'other@example.com', 'complaint')
  assert.deepEqual(reasons(await plan(scene, campaign_id)), { suppressed: 2 })
})

test('the audience of ranges of contacts adds up to the audience of the whole', async () => {
  const scene = await campaignScene(testbed)
  await everyKind(scene)
  const { businessId } = scene
  const asked = {
    businessId,
    channel: 'email' as const,
    topic: null,
    audience: {},
    quota: null,
    zone: 'UTC',
  }
  const rows = async (range: Parameters<typeof audienceRows>[0]['range']) =>
    testbed.db.all<{ contact_id: Id<'contact'>; reason: string | null }>(
      audienceRows({ ...asked, range, now: systemClock.now() }),
    )
  const whole = await rows({ after: null, upTo: null })
  assert.equal(whole.length, 8)
  const ids = whole.map(({ contact_id }) => contact_id).sort((a, b) => (a < b ? -1 : 1))
  const parts = [
    ...(await rows({ after: null, upTo: ids[2] ?? null })),
    ...(await rows({ after: ids[2] ?? null, upTo: ids[5] ?? null })),
    ...(await rows({ after: ids[5] ?? null, upTo: null })),
  ]
  const sorted = (all: typeof whole) => all.map((row) => JSON.stringify(row)).sort()
  assert.deepEqual(sorted(parts), sorted(whole))
})
