import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { campaignScene } from '../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { momentAt } from '../../lib/time/wall-clock.ts'
import { recordReports } from '../../messages/reports/reports.ts'
import { campaignOutcomes } from '../results/outcomes.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

interface Shown {
  variants: { variant: number; subject: string; counts: Record<string, number> }[]
  ab?: {
    winner: number | null
    sent_to_others: number | null
    by_hand: boolean
    beyond_chance: boolean
    sample_percent: number
    results: { variant: number; sent: number; acted: number; low: number; high: number }[]
    leader: number
    lead: { low: number; high: number }
  }
}

const ab = { variants: [{ subject: 'Another subject' }], sample_percent: 40 }

async function tested(people: number, more: object = {}) {
  const running = await draftTo(testbed, people)
  const { owner } = running.scene
  await owner.get('campaign.save', { campaign_id: running.name, ab: { ...ab, ...more } })
  return running
}

const shownOf = ({ scene, name }: Running) =>
  scene.owner.get<Shown>('campaign.get', { campaign_id: name })

function byVariant({ campaignId }: Running) {
  return testbed.db.all<{ variant: number | null; state: string; n: number }>(sql`
    select variant, state, count(*)::int as n from campaign_recipients
    where campaign_id = ${campaignId} group by 1, 2 order by 1, 2
  `)
}

/** Waits until the whole sample was sent, after its first recipients too, and the others wait. */
async function sampled(running: Running) {
  await eventually(
    () => byVariant(running),
    (rows) => {
      const sample = rows.filter(({ variant }) => variant !== null)
      return sample.length > 0 && sample.every(({ state }) => state === 'sent')
    },
  )
  return standings(running)
}

test('a variant is the first content with its own changes, and an empty list ends the A/B test', async () => {
  const running = await tested(10)
  const { variants, ab: shown } = await shownOf(running)
  assert.deepEqual(
    variants.map(({ subject }) => subject),
    ['News, {{ contact.name }}', 'Another subject'],
  )
  assert.deepEqual([shown?.sample_percent, shown?.winner], [40, null])
  await running.scene.owner.get('campaign.save', {
    campaign_id: running.name,
    ab: { variants: [] },
  })
  const after = await shownOf(running)
  assert.deepEqual([after.variants.length, after.ab], [1, undefined])
})

test('a sample gets the variants, the other recipients wait, and get a winner chosen by hand once', async () => {
  const running = await tested(200)
  await sendOff(running)
  const first = await sampled(running)
  const { sent = 0, pending = 0 } = first
  assert.ok(sent > 40 && sent < 120, `${sent} of 200 are the sample`)
  assert.equal(sent + pending, 200)
  const campaign_id = running.name
  const { owner, refused } = running.scene
  const { waits } = await owner.get<{ waits?: { for: string; until: string } }>('campaign.get', {
    campaign_id,
  })
  assert.equal(waits?.for, 'ab_test')
  const hoursLeft = (new Date(waits.until).getTime() - Date.now()) / 3_600_000
  assert.ok(hoursLeft > 3 && hoursLeft <= 4, `${hoursLeft} of 4 hours`)
  const none = await refused('campaign.save', { campaign_id, ab: { winner: 4 } })
  assert.equal(none.field, 'ab.winner')
  await owner.get('campaign.save', { campaign_id, ab: { winner: 1 } })
  assert.equal(await awaitState(running, 'completed'), 'completed')
  await eventually(
    () => standings(running),
    (now) => now['sent'] === 200,
  )
  const rows = await byVariant(running)
  const [a, b] = rows
  assert.equal(rows.length, 2)
  assert.deepEqual([a?.variant, b?.variant], [0, 1])
  assert.ok(b && b.n > pending)
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(distinct contact_id)::int as n from messages where campaign_id = ${running.campaignId}
  `)
  assert.equal(n, 200)
  assert.deepEqual(
    [(await shownOf(running)).ab?.winner, (await shownOf(running)).ab?.by_hand],
    [1, true],
  )
  assert.equal(
    (await refused('campaign.save', { campaign_id, ab: { winner: 0 } })).code,
    'conflict',
  )
})

test('each cancelled recipient is counted under their own variant', async () => {
  const running = await tested(60, { sample_percent: 50 })
  await testbed.db.run(sql`
    update campaigns set throttle_per_minute = 60 where id = ${running.campaignId}
  `)
  await sendOff(running)
  await eventually(
    () => standings(running),
    ({ pending = 0 }) => pending > 0,
  )
  await running.scene.owner.get('campaign.cancel', { campaign_id: running.name })
  await eventually(
    () => standings(running),
    ({ pending, taken }) => !pending && !taken,
  )
  const rows = await byVariant(running)
  const { variants } = await shownOf(running)
  for (const { variant, counts } of variants) {
    const own = rows.filter((row) => (row.variant ?? 0) === variant && row.state === 'cancelled')
    assert.equal(
      counts['cancelled'] ?? 0,
      own.reduce((sum, { n }) => sum + n, 0),
    )
  }
  assert.ok((variants[1]?.counts['cancelled'] ?? 0) > 0)
})

/** Sends the sample, has some of its people click, and lets the test's time pass. */
async function decided(running: Running, clicks: (variant: number, place: number) => boolean) {
  await sendOff(running)
  await sampled(running)
  const rows = await testbed.db.all<{ id: Id<'message'>; variant: number; place: number }>(sql`
    select message_id as id, variant,
      (row_number() over (partition by variant order by contact_id))::int as place
    from campaign_recipients
    where campaign_id = ${running.campaignId} and state = 'sent'
  `)
  const [now, { businessId }] = [new Date(), running]
  const clicked = rows.filter(({ variant, place }) => clicks(variant, place))
  const news = clicked.map(({ id }) => {
    const url = 'https://shop.example/'
    return { businessId, messageId: id, event: 'clicked' as const, url, at: now, source: 'a test' }
  })
  await testbed.db.tx((tx) => recordReports(tx, news, now, campaignOutcomes))
  // Moves the start four hours into the past.
  await testbed.db.run(sql`
    update campaigns set frozen_at = frozen_at - interval '4 hours' where id = ${running.campaignId}
  `)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const { ab: shown } = await shownOf(running)
  assert.ok(shown)
  return shown
}

test('after the test time the variant that more people clicked beyond chance wins', async () => {
  const running = await tested(120, { sample_percent: 50 })
  const shown = await decided(running, (variant, place) => variant === 1 || place <= 2)
  assert.deepEqual([shown.winner, shown.by_hand, shown.beyond_chance], [1, false, true])
  assert.ok(shown.lead.low > 0 && shown.lead.high < 1, JSON.stringify(shown.lead))
  const sent = shown.results.reduce((sum, result) => sum + result.sent, 0)
  assert.ok(sent < 120, 'the evidence is the sample, without those who got the winner')
})

test('a variant that leads by chance goes to the others, but is not named the winner', async () => {
  const running = await tested(120, { sample_percent: 50 })
  const shown = await decided(running, (variant, place) => place <= (variant === 1 ? 3 : 2))
  // The halves are drawn by chance, so 2 clicks may be a larger share than 3 of the other half.
  const [a, b] = shown.results.map(({ acted, sent }) => acted / sent)
  const leader = a !== undefined && b !== undefined && a < b ? 1 : 0
  assert.deepEqual([shown.winner, shown.sent_to_others, shown.leader], [null, leader, leader])
  assert.deepEqual([shown.by_hand, shown.beyond_chance], [false, false])
  assert.ok(shown.lead.low <= 0 && shown.lead.high >= 0, JSON.stringify(shown.lead))
  assert.deepEqual(
    shown.results.map(({ acted }) => acted),
    [2, 3],
  )
})

test('a change of the content reaches the other variants, which keep what they say otherwise', async () => {
  const running = await tested(10)
  const { owner } = running.scene
  const html = '<p>New words for {{ contact.name }}</p>'
  await owner.get('campaign.save', { campaign_id: running.name, content: { html } })
  const asked = { campaign_id: running.name, content: true }
  const { variants } = await owner.get<{ variants: { content: Record<string, string> }[] }>(
    'campaign.get',
    asked,
  )
  assert.deepEqual(
    variants.map(({ content }) => [content['subject'], content['html']]),
    [
      ['News, {{ contact.name }}', html],
      ['Another subject', html],
    ],
  )
})

test('a recipient who waited for the winner gets it at their local hour, if that is still ahead', async () => {
  const running = await tested(90)
  const { businessId, campaignId } = running
  // The send hour is now in Paris, and an hour later in London and for unknown time zones.
  await testbed.db.run(sql`
    update businesses set time_zone = 'Europe/London' where id = ${businessId}
  `)
  await testbed.db.run(sql`
    update contacts set attributes = json_build_object('time_zone', case
      when get_byte(uuid_send(id), 13) % 2 = 0 then 'Europe/Paris' else 'Mars/Base' end)
    where business_id = ${businessId}
  `)
  const paris = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Paris',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const local = paris.format(later(new Date(), -minutes(2))).replace(' ', 'T')
  await testbed.db.run(sql`
    update campaigns set send_local = ${local}, zone_mode = 'recipient' where id = ${campaignId}
  `)
  await sendOff(running)
  await sampled(running)
  const { owner } = running.scene
  await owner.get('campaign.save', { campaign_id: running.name, ab: { winner: 1 } })
  const inZones = () =>
    testbed.db.all<{ zone: string; states: string[]; hours: number }>(sql`
      select c.attributes ->> 'time_zone' as zone, array_agg(distinct r.state) as states,
        count(distinct r.due_at) filter (where r.state = 'pending')::int as hours
      from campaign_recipients r join contacts c on c.business_id = r.business_id
        and c.id = r.contact_id
      where r.campaign_id = ${campaignId} group by 1 order by 1
    `)
  const found = await eventually(inZones, ([zone]) => zone?.states.join() === 'sent')
  assert.deepEqual(found, [
    { zone: 'Europe/Paris', states: ['sent'], hours: 0 },
    { zone: 'Mars/Base', states: ['pending'], hours: 1 },
  ])
  const { at } = await testbed.db.one<{ at: Date }>(sql`
    select max(due_at) as at from campaign_recipients where campaign_id = ${campaignId}
      and state = 'pending'
  `)
  assert.equal(at.toISOString(), momentAt(local, 'Europe/London')?.toISOString())
})

test('an A/B test requires the tier growth, a difference between variants and numbers within bounds', async () => {
  const free = await campaignScene(testbed, 'free')
  const { campaign_id } = await free.draft()
  assert.equal((await free.refused('campaign.save', { campaign_id, ab })).code, 'tier_required')
  const running = await draftTo(testbed, 0)
  const { refused } = running.scene
  const wrong: [object, string][] = [
    [{ variants: [{}] }, 'ab.variants[0]'],
    [{ variants: [{ html: '{% if %}' }] }, 'ab.variants[0]'],
    [{ ...ab, sample_percent: 1 }, 'ab.sample_percent'],
    [{ ...ab, sample_percent: 101 }, 'ab.sample_percent'],
    [{ ...ab, after_minutes: 9 }, 'ab.after_minutes'],
    [{ ...ab, winner_by: 'luck' }, 'ab.winner_by'],
    [{ variants: Array(5).fill({ subject: 'x' }) }, 'ab.variants'],
    [{ winner: 9 }, 'ab.winner'],
  ]
  for (const [input, field] of wrong) {
    const refusal = await refused('campaign.save', { campaign_id: running.name, ab: input })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', field])
  }
})
