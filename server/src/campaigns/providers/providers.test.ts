import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  draftTo,
  type Running,
  relaySettings,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { type FakeRelay, reply, startFakeRelay } from '../../../../tests/support/mail/fake-relay.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { hours, later } from '../../lib/time/clock.ts'
import { createHeldUntil } from '../../messages/throttle/provider-holds.ts'
import { addToProviders, listProviders, type ProviderCounts, providerLimits } from './counts.ts'
import { holdProviders } from './hold.ts'
import type { ProviderResults } from './results.ts'

let relay: FakeRelay
let testbed: OwnTestbed
before(async () => {
  relay = await startFakeRelay({
    onRcptTo({ address }, _session, done) {
      if (address.endsWith('@gmail.com')) {
        done(reply(`550 5.7.1 <${address}> mail from this sender is refused. id-${Date.now()}`))
      } else if (address.endsWith('@yahoo.com')) {
        done(reply("421 4.7.30 Your email has been rate limited because DKIM didn't pass."))
      } else if (address.endsWith('@icloud.com')) {
        done(reply('550 5.7.26 This email has been blocked: SPF did not pass, DKIM did not pass.'))
      } else if (address.includes('-3@')) done(reply('451 4.2.1 mailbox busy'))
      else if (address.includes('-4@')) done(reply('550 5.1.1 no such user'))
      else done()
    },
  })
  // Several at once, so that a hold is heard of in the middle of a campaign.
  testbed = await openTestbed(relaySettings(relay.url('?pool=2&warmup=no')))
})
after(async () => {
  await testbed.close()
  await relay.stop()
})

interface Shown {
  providers: ProviderResults
  waits?: { for: string; until: string | null }
  counts: Record<string, number>
}
const shownOf = ({ scene, name }: Running) =>
  scene.owner.get<Shown>('campaign.get', { campaign_id: name })

/** A draft whose recipients are at these domains, so many at each. */
async function draftAt(domains: Record<string, number>): Promise<Running> {
  const all = Object.entries(domains).flatMap(([domain, n]) => Array<string>(n).fill(domain))
  const running = await draftTo(testbed, all.length)
  await testbed.db.run(sql`
    update contacts c set email = 'p-' || n.at || '@' || (${all}::text[])[n.at::int]
    from (
      select id, row_number() over (order by id) as at from contacts
      where business_id = ${running.businessId}
    ) n
    where c.business_id = ${running.businessId} and c.id = n.id
  `)
  return running
}

const messagesAt = ({ businessId }: Running, domain: string) =>
  testbed.db.all<{ id: Id<'message'>; state: string; provider: string | null; dueAt: Date }>(sql`
    select id, state, provider, due_at as "dueAt" from messages
    where business_id = ${businessId} and recipient like ${`%@${domain}`} order by id
  `)

const heldEvents = ({ businessId }: Running) =>
  testbed.db.all<{ data: Record<string, unknown> }>(sql`
    select body::jsonb -> 'data' as data from events
    where business_id = ${businessId} and type = 'campaign.provider_held'
  `)

test('a provider that refuses the sender holds its share alone, and says so with the commonest words', async () => {
  const running = await draftAt({ 'gmail.com': 300, 'shop.test': 12 })
  await sendOff(running)
  const shown = await eventually(
    () => shownOf(running),
    ({ providers }) =>
      providers.some(({ held }) => held) && providers.some(({ sent }) => sent === 12),
  )
  const gmail = shown.providers.find(({ provider }) => provider === 'gmail')
  const shop = shown.providers.find(({ provider }) => provider === 'shop.test')
  assert.ok(gmail && shop)
  assert.equal(gmail.held?.reason, 'refusals')
  assert.equal(gmail.sent, 0)
  assert.ok(gmail.refused_by_policy >= 5 && gmail.refused_by_policy < 300)
  assert.deepEqual(gmail.untrusted?.refusals, [
    { words: '550 5.7.1 … mail from this sender is refused. …', count: gmail.refused },
  ])
  assert.deepEqual([shop.held, shop.refused, shop.deferred + shop.bounced], [undefined, 0, 0])
  assert.equal(shop.sent, 12)
  assert.deepEqual(shown.waits, { for: 'provider', until: gmail.held?.until })
  const [event, ...others] = await heldEvents(running)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [event?.data['provider'], event?.data['reason'], event?.data['held_until']],
    ['gmail', 'refusals', gmail.held?.until],
  )
  const waiting = await eventually(
    async () => (await messagesAt(running, 'gmail.com')).filter(({ state }) => state === 'queued'),
    (rows) => rows.length > 0 && rows.every(({ provider }) => provider === 'gmail'),
  )
  const until = new Date(String(gmail.held?.until))
  assert.ok(waiting.every(({ dueAt }) => dueAt >= later(until, -1000)))
  // An admin who does not want to wait has its share go at once; it is refused, and held for longer.
  const { businessId, name: campaign_id } = running
  const admin = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  const asked = { campaign_id, provider: 'gmail' }
  const lifted = await admin.get<{ was_held: boolean; messages: number }>(
    'campaign.lift_hold',
    asked,
  )
  assert.equal(lifted.was_held, true)
  // Those that the same refusals made wait for the pause of the service's own domain stay behind it.
  assert.ok(lifted.messages <= waiting.length, `${lifted.messages}`)
  const free = (await shownOf(running)).providers.find(({ provider }) => provider === 'gmail')
  assert.equal(free?.held, undefined)
  const again = await admin.get('campaign.lift_hold', asked)
  assert.deepEqual(again, { was_held: false, messages: 0 })
})

test('what the sender lacks is named, holds that provider at once, and suppresses nobody', async () => {
  const running = await draftAt({ 'yahoo.com': 40, 'icloud.com': 40, 'bakery.test': 3 })
  await sendOff(running)
  const { providers } = await eventually(
    () => shownOf(running),
    (shown) =>
      ['yahoo', 'apple'].every((name) =>
        shown.providers.some(({ provider, missing }) => provider === name && missing),
      ) && shown.providers.some(({ provider, sent }) => provider === 'bakery.test' && sent === 3),
  )
  const lacking = (name: string) => providers.find(({ provider }) => provider === name)
  assert.deepEqual(lacking('yahoo')?.missing, ['dkim'])
  assert.deepEqual(lacking('apple')?.missing, ['spf', 'dkim'])
  assert.equal(lacking('bakery.test')?.missing, undefined)
  // Only what was on its way already was refused: the rest waits.
  const states = await messagesAt(running, 'icloud.com')
  assert.ok(states.filter(({ state }) => state === 'failed').length < 40)
  const paused = await testbed.db.all<{ provider: string; missing: string[] }>(sql`
    select provider, missing from send_throttles
    where missing is not null and paused_until is not null order by provider
  `)
  assert.deepEqual(paused, [
    { provider: 'apple', missing: ['spf', 'dkim'] },
    { provider: 'yahoo', missing: ['dkim'] },
  ])
  const suppressed = await testbed.db.all(sql`
    select 1 from suppressions where business_id = ${running.businessId}
  `)
  assert.equal(suppressed.length, 0)
})

test('deferred and bounced mail is counted by provider', async () => {
  const running = await draftAt({ 'cafe.test': 4 })
  await sendOff(running)
  const [cafe] = await eventually(
    async () => (await shownOf(running)).providers,
    ([one]) => one?.sent === 3 && one.deferred === 1,
  )
  const { provider, sent, delivered, deferred, refused, bounced, complained } = cafe ?? {}
  assert.deepEqual(
    [provider, sent, delivered, deferred, refused, bounced, complained],
    ['cafe.test', 3, 0, 1, 0, 1, 0],
  )
})

const none = {
  delivered: 0,
  deferred: 0,
  refused: 0,
  refusedByPolicy: 0,
  bounced: 0,
  complained: 0,
}

/** A campaign of which only counters exist, and the function that adds to them. */
async function countersOf() {
  const businessId = await testbed.newBusiness()
  const key = { businessId, campaignId: newId('campaign') }
  const add = (counts: Partial<ProviderCounts>, provider = 'yahoo') => {
    const row = { ...key, ...none, sent: 0, provider, ...counts }
    const within = { slot: 0, limit: providerLimits.providers }
    return testbed.db.tx((tx) => addToProviders(tx, [row], within))
  }
  const hold = (now: Date) => testbed.db.tx((tx) => holdProviders(tx, key, now))
  return { key, add, hold }
}

test('refusals hold above two percent and complaints above three in a thousand, not at them', async () => {
  const { add, hold } = await countersOf()
  const now = new Date()
  await add({ sent: 980, refused: 20, refusedByPolicy: 20 })
  await add({ sent: 1000, complained: 3 }, 'apple')
  // Refusals for other reasons, and too few to be no chance.
  await add({ sent: 10, refused: 10 }, 'gmail')
  await add({ sent: 0, refused: 4, refusedByPolicy: 4, complained: 1 }, 'shop.test')
  assert.deepEqual(await hold(now), [])
  await add({ refused: 1, refusedByPolicy: 1 })
  await add({ complained: 1 }, 'apple')
  const held = await hold(now)
  assert.deepEqual(
    held.map(({ provider, reason, until }) => [provider, reason, until.getTime() - now.getTime()]),
    [
      ['yahoo', 'refusals', hours(1)],
      ['apple', 'complaints', hours(1)],
    ],
  )
})

test('after a hold the share goes on, is judged by what came since, and then waits longer', async () => {
  const { key, add, hold } = await countersOf()
  const start = new Date()
  await add({ refused: 5, refusedByPolicy: 5 })
  assert.equal((await hold(start)).length, 1)
  const heldUntil = createHeldUntil(testbed.db)
  const asked = { ...key, provider: 'yahoo' }
  assert.deepEqual(await heldUntil(asked, start), later(start, hours(1)))
  assert.equal(await heldUntil({ ...asked, provider: 'gmail' }, start), undefined)
  // What was on its way still comes in while it waits.
  await add({ refused: 3, refusedByPolicy: 3 })
  const over = later(start, hours(1))
  assert.deepEqual(await hold(over), [])
  assert.equal(await heldUntil(asked, over), undefined)
  await add({ sent: 100, refused: 4, refusedByPolicy: 4 })
  assert.deepEqual(await hold(over), [])
  await add({ refused: 1, refusedByPolicy: 1 })
  const [again] = await hold(over)
  assert.deepEqual(again?.until, later(over, hours(4)))
})

test('providers beyond the limit of a campaign count together and are never held', async () => {
  const { key, add, hold } = await countersOf()
  for (let n = 0; n < providerLimits.providers; n++) await add({ sent: 1 }, `d${n}.test`)
  await add({ refused: 9, refusedByPolicy: 9 }, 'late.test')
  await add({ sent: 2 }, 'd0.test')
  const rows = await listProviders(testbed.db, key, 1000)
  assert.equal(rows.length, providerLimits.providers + 1)
  assert.deepEqual([rows[0]?.provider, rows[0]?.sent], ['d0.test', 3])
  assert.deepEqual([rows.at(-1)?.provider, rows.at(-1)?.refusedByPolicy], ['', 9])
  assert.deepEqual(await hold(new Date()), [])
})
