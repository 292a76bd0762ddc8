/** The figures of the reports against those that a slow and plain reading of the same rows gives. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import { campaignScene, openCampaignTestbed } from '../../../tests/support/businesses/campaigns.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

const zone = 'Europe/Berlin'
const dayMs = 86_400_000

/** The same numbers in every run. */
function numbersFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

interface Entry {
  at: Date
  action: 'pending' | 'subscribed' | 'unsubscribed'
  confirmation: string | null
}
interface Person {
  id: Id<'contact'>
  entries: Entry[]
  suppressed?: { at: Date; reason: string }
}

const dayIn = (at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)

/** A year of people who come, confirm, leave, return, bounce and complain, at every hour of the day. */
function makePeople(count: number, now: number): Person[] {
  const random = numbersFrom(7)
  return Array.from({ length: count }, (_, n) => {
    const id = newId('contact')
    let at = now - 364 * dayMs + random(360 * 24) * 3_600_000
    const entries: Entry[] = []
    const add = (action: Entry['action'], confirmation: string | null = null) => {
      if (at < now) entries.push({ at: new Date(at), action, confirmation })
      at += (1 + random(60 * 24)) * 3_600_000
    }
    if (n % 3 === 0) add('pending')
    add('subscribed', n % 3 === 0 ? newId('confirmation') : null)
    if (n % 5 === 0) add('subscribed')
    if (n % 4 === 0) add('unsubscribed')
    if (n % 8 === 0) add('subscribed')
    const reason = ['bounce', 'complaint', 'manual', 'stop', 'unsubscribed'][random(5)] ?? 'manual'
    const when = Math.min(now - 1_000, at - random(90 * 24) * 3_600_000)
    return {
      id,
      entries,
      ...(n % 7 === 0 && { suppressed: { at: new Date(when), reason } }),
    }
  })
}

async function store(businessId: Id<'business'>, people: readonly Person[]): Promise<void> {
  const { db } = testbed
  for (const { id, entries, suppressed } of people) {
    const first = entries[0]?.at ?? new Date()
    const mark = Buffer.from(id)
    const state = entries.at(-1)?.action ?? 'none'
    await db.run(sql`
      insert into contacts (business_id, id, email, email_mark, attributes, tags, email_consent,
        sms_consent, source, created_at, updated_at)
      values (${businessId}, ${id}, ${`${id}@example.com`}, ${mark}, '{}', '{}', ${state}, 'none',
        'import', ${first}, ${first})
    `)
    for (const { at, action, confirmation } of entries) {
      await db.run(sql`
        insert into consent_events (business_id, contact_id, id, channel, action, source,
          confirmation_id, created_at)
        values (${businessId}, ${id}, ${newId('consent')}, 'email', ${action}, 'test',
          ${confirmation}, ${at})
      `)
    }
    if (suppressed) {
      await db.run(sql`
        insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
        values (${businessId}, 'email', ${mark}, ${suppressed.reason}, 'test', ${suppressed.at})
      `)
    }
  }
}

interface Day {
  day: string
  gained: number
  confirmed: number
  lost: number
  net: number
  unsubscribed: number
  bounced: number
  complained: number
  stopped: number
}
interface Growth {
  from: string
  until: string
  subscribed_before: number
  subscribed_after: number
  totals: Omit<Day, 'day'>
  days: Day[]
  erased: number
  csv?: string
}

/** Each person's story, read one entry after the other. */
function replayed(people: readonly Person[]) {
  const days = new Map<string, Record<string, number>>()
  let subscribed = 0
  const add = (at: Date, figure: string) => {
    const day = dayIn(at)
    const figures = days.get(day) ?? {}
    days.set(day, { ...figures, [figure]: (figures[figure] ?? 0) + 1 })
  }
  for (const { entries, suppressed } of people) {
    let since: Date | undefined
    for (const { at, action, confirmation } of entries) {
      if (action === 'subscribed' && !since) {
        since = at
        add(at, 'gained')
        if (confirmation) add(at, 'confirmed')
      } else if (action === 'unsubscribed' && since) {
        since = undefined
        add(at, 'unsubscribed')
      }
    }
    if (since && suppressed) {
      const names: Record<string, string> = {
        bounce: 'bounced',
        complaint: 'complained',
        unsubscribed: 'unsubscribed',
      }
      add(new Date(Math.max(+since, +suppressed.at)), names[suppressed.reason] ?? 'stopped')
    } else if (since) subscribed++
  }
  return { days, subscribed }
}

test('growth equals the ledger read one entry after the other, over a year with two clock changes', async () => {
  const { businessId, owner, refused } = await campaignScene(testbed)
  await testbed.db.run(sql`update businesses set time_zone = ${zone} where id = ${businessId}`)
  const now = Date.now()
  const people = makePeople(220, now)
  await store(businessId, people)
  const erased = people.filter((_, n) => n % 20 === 3)
  const person = await testbed.appCaller({ businesses: [businessId] })
  for (const { id } of erased) {
    await person.get('contact.erase', { contact_id: formatId('contact', id) })
  }
  const { days, subscribed } = replayed(people.filter((person) => !erased.includes(person)))
  const until = dayIn(new Date(now))
  const from = dayIn(new Date(now - 366 * dayMs))
  const growth = await owner.get<Growth>('report.growth', { from, until, format: 'csv' })
  assert.equal(growth.days.length, 367)
  assert.equal(growth.subscribed_before, 0)
  assert.equal(growth.subscribed_after, subscribed)
  assert.equal(growth.erased, erased.length)
  const zero = { gained: 0, confirmed: 0, unsubscribed: 0, bounced: 0, complained: 0, stopped: 0 }
  for (const { day, lost, net, ...figures } of growth.days) {
    assert.deepEqual(figures, { ...zero, ...days.get(day) }, day)
    const { unsubscribed, bounced, complained, stopped } = figures
    assert.equal(lost, unsubscribed + bounced + complained + stopped)
    assert.equal(net, figures.gained - lost)
  }
  assert.ok(growth.totals.gained > 150 && growth.totals.lost > 50, 'the year had its moves')
  for (const name of Object.keys(growth.totals) as (keyof typeof growth.totals)[]) {
    const sum = growth.days.reduce((total, day) => total + day[name], 0)
    assert.equal(growth.totals[name], sum, name)
  }
  const lines = (growth.csv ?? '').trim().split('\r\n')
  assert.equal(lines.length, 368)
  const cells = lines.slice(1).map((line) => line.replaceAll('"', '').split(','))
  assert.deepEqual(
    cells.map((line) => [line[0], Number(line[1]), Number(line[3])]),
    growth.days.map(({ day, gained, lost }) => [day, gained, lost]),
  )
  // A part of the year begins where the days before it ended.
  const later = await owner.get<Growth>('report.growth', { from: growth.days[200]?.day, until })
  const before = growth.days.slice(0, 200).reduce((sum, { net }) => sum + net, 0)
  assert.equal(later.subscribed_before, before)
  const middle = await owner.get<Growth>('report.growth', {
    from: growth.days[100]?.day,
    until: growth.days[199]?.day,
  })
  assert.equal(middle.subscribed_after, before)
  const usual = await owner.get<Growth>('report.growth', {})
  assert.equal(usual.days.length, 30)
  assert.equal(usual.until, until)
  for (const [wrong, field] of [
    [{ from: '2026-02-30' }, 'from'],
    [{ until: 'yesterday' }, 'until'],
    [{ from: '2026-03-02', until: '2026-03-01' }, 'from'],
    [{ from: '2025-01-01', until: '2026-01-03' }, 'from'],
  ] as const) {
    assert.equal((await refused('report.growth', wrong)).field, field)
  }
  const whole = await owner.get<Growth>('report.growth', {
    from: '2025-01-01',
    until: '2026-01-02',
  })
  assert.equal(whole.days.length, 367)
})

interface Audience {
  contacts: number
  joined: {
    month: string | null
    source: string
    contacts: number
    subscribed: number
    engaged: number
    not_tracked: number
  }[]
  staying: { month: string; subscribers: number; after_months: number[] }[]
  csv?: string
}

test('the audience by month adds up to all contacts, and who stayed is counted by age', async () => {
  const { businessId, owner } = await campaignScene(testbed)
  const { db } = testbed
  await db.run(sql`update businesses set time_zone = ${zone} where id = ${businessId}`)
  const now = Date.now()
  const people = makePeople(90, now)
  await store(businessId, people)
  const [reader, machine] = people.filter(({ entries, suppressed }) => {
    return entries.at(-1)?.action === 'subscribed' && !suppressed
  })
  assert.ok(reader && machine)
  for (const [person, isMachine] of [
    [reader, false],
    [machine, true],
  ] as const) {
    await db.run(sql`
      insert into contact_activity (business_id, contact_id, id, type, details, machine, created_at)
      values (${businessId}, ${person.id}, ${newId('activity')}, 'message.opened', '{}',
        ${isMachine}, ${new Date(now - 5 * dayMs)})
    `)
  }
  await db.run(sql`
    update contacts set tracking_consent = 'unsubscribed'
    where business_id = ${businessId} and id = ${machine.id}
  `)
  const report = await owner.get<Audience>('report.audience', { months: 6, format: 'csv' })
  assert.equal(report.contacts, people.length)
  const sum = (name: 'contacts' | 'subscribed' | 'engaged' | 'not_tracked') =>
    report.joined.reduce((total, row) => total + row[name], 0)
  assert.equal(sum('contacts'), people.length)
  assert.equal(sum('subscribed'), replayed(people).subscribed)
  assert.equal(sum('engaged'), 1)
  assert.equal(sum('not_tracked'), 1)
  const months = new Map<string | null, number>()
  for (const { month, contacts } of report.joined) {
    months.set(month, (months.get(month) ?? 0) + contacts)
  }
  assert.ok(months.size <= 7 && months.has(null), 'six months, and one row for all before')
  for (const [month, contacts] of months) {
    if (month === null) continue
    const own = people.filter(({ entries }) => {
      return dayIn(entries[0]?.at ?? new Date()).startsWith(month)
    })
    assert.equal(contacts, own.length, month)
  }
  for (const { month, subscribers, after_months } of report.staying) {
    assert.ok(after_months.length < 7, month)
    let last = subscribers
    for (const stayed of after_months) {
      assert.ok(stayed <= last, `${month}: nobody comes back by ageing`)
      last = stayed
    }
  }
  assert.equal((report.csv ?? '').trim().split('\r\n').length, report.joined.length + 1)
  const empty = await campaignScene(testbed)
  const none = await empty.owner.get<Audience>('report.audience', {})
  assert.deepEqual([none.contacts, none.joined, none.staying], [0, [], []])
})

interface Report {
  campaign_id: string
  counts: Record<string, number>
  rates: Record<string, number | null>
  revenue: { currency: string | null; orders: number; refunds: number; value: number }[]
  usual: { campaigns: number; rates: Record<string, number | null> }
  opens: { people: number; machines_only: number; not_tracked: number; judged: number }
  unsubscribe_ways: { way: string; people: number }[]
  segments: { name: string; sent: number; opened: number; clicked: number; unsubscribed: number }[]
  complaints_reported: boolean
  csv?: string
}

/** The bits of what a recipient did: opened, opened by a machine, clicked, unsubscribed. */
const bits = { opened: 1, machine: 2, clicked: 4, unsubscribed: 32 }

interface Sent {
  recipients: readonly { id: Id<'contact'>; marks: number }[]
  deployedAt: Date
}

async function sentCampaign(
  { businessId, draft }: Awaited<ReturnType<typeof campaignScene>>,
  { recipients, deployedAt }: Sent,
) {
  const { db } = testbed
  const { campaign_id } = await draft({ name: `Sent ${deployedAt.toISOString()}` })
  const { id } = await db.one<{ id: Id<'campaign'> }>(sql`
    select id from campaigns where business_id = ${businessId} order by id desc limit 1
  `)
  await db.run(sql`
    update campaigns set state = 'completed', deployed_at = ${deployedAt}
    where business_id = ${businessId} and id = ${id}
  `)
  for (const { id: contactId, marks } of recipients) {
    await db.run(sql`
      insert into campaign_recipients (business_id, campaign_id, contact_id, state, marks, updated_at)
      values (${businessId}, ${id}, ${contactId}, 'sent', ${marks}, ${deployedAt})
    `)
  }
  const having = (bit: number) => recipients.filter(({ marks }) => (marks & bit) !== 0).length
  const amounts = {
    sent: recipients.length,
    opened: having(bits.opened),
    clicked: having(bits.clicked),
    unsubscribed: having(bits.unsubscribed),
  }
  // In several rows, as two writers at once leave them.
  for (const [metric, amount] of Object.entries(amounts)) {
    for (const [slot, part] of [
      [0, Math.floor(amount / 2)],
      [3, amount - Math.floor(amount / 2)],
    ] as const) {
      await db.run(sql`
        insert into campaign_counts (business_id, campaign_id, variant, metric, amount, slot)
        values (${businessId}, ${id}, 0, ${metric}, ${part}, ${slot})
      `)
    }
  }
  return { campaign_id, id }
}

test('a campaign is reported beside its usual, with refunds, two currencies and what cannot be judged', async () => {
  const scene = await campaignScene(testbed)
  const { businessId, owner, refused } = scene
  const { db } = testbed
  const now = Date.now()
  const people = makePeople(40, now).map((person) => ({
    ...person,
    entries: person.entries.slice(0, 1),
  }))
  await store(businessId, people)
  const random = numbersFrom(11)
  const choices = [
    0,
    bits.opened,
    bits.machine,
    bits.opened | bits.machine,
    bits.opened | bits.clicked,
  ]
  const recipients = people.map(({ id }, n) => ({
    id,
    marks: (choices[random(choices.length)] ?? 0) | (n % 13 === 0 ? bits.unsubscribed : 0),
  }))
  const shares: number[] = []
  for (let n = 12; n >= 1; n--) {
    const some = recipients.slice(0, 10 + n)
    const opened = some.filter(({ marks }) => (marks & bits.opened) !== 0).length
    if (n <= 10) shares.push(opened / some.length)
    await sentCampaign(scene, { recipients: some, deployedAt: new Date(now - n * dayMs) })
  }
  const { campaign_id, id } = await sentCampaign(scene, {
    recipients,
    deployedAt: new Date(now - 3_600_000),
  })
  const amounts = [
    ['EUR', 50],
    ['EUR', 20.5],
    ['EUR', -50],
    ['CHF', 30],
    [null, 1],
  ] as const
  for (const [n, [currency, value]] of amounts.entries()) {
    await db.run(sql`
      insert into own_events (business_id, key, id, contact_id, name, happened_at, value, currency,
        properties, campaign_id, created_at)
      values (${businessId}, ${Buffer.from([n])}, ${newId('activity')}, ${people[n]?.id}, 'order',
        ${new Date(now)}, ${value}, ${currency}, '{}', ${id}, ${new Date(now)})
    `)
  }
  const untracked = recipients.filter(({ marks }) => (marks & 7) === 0).slice(0, 2)
  for (const entry of untracked) {
    await db.run(sql`
      update contacts set tracking_consent = 'unsubscribed'
      where business_id = ${businessId} and id = ${entry.id}
    `)
  }
  const leavers = recipients.filter(({ marks }) => (marks & bits.unsubscribed) !== 0)
  const [clicker, ...others] = leavers
  for (const [person, source] of [
    [clicker, 'one-click unsubscribe, msg_1'],
    ...others.map((other) => [other, 'unsubscribe page, msg_2'] as const),
  ] as const) {
    await db.run(sql`
      insert into consent_events (business_id, contact_id, id, channel, action, source, created_at)
      values (${businessId}, ${person?.id}, ${newId('consent')}, 'email', 'unsubscribed', ${source},
        ${new Date(now)})
    `)
  }
  await owner.get('segment.save', {
    name: 'Everybody added',
    filter: { field: 'source', op: 'is', value: 'import' },
  })
  const report = await owner.get<Report>('report.campaign', { campaign_id, format: 'csv' })
  const having = (test: (marks: number) => boolean) =>
    recipients.filter(({ marks }) => test(marks)).length
  const opened = having((marks) => (marks & 1) !== 0)
  assert.equal(report.counts['sent'], 40)
  assert.equal(report.counts['opened'], opened)
  assert.equal(report.rates['opened'], opened / 40)
  assert.equal(report.rates['complained'], null, 'nothing reports complaints here')
  assert.equal(report.complaints_reported, false)
  assert.equal(report.usual.campaigns, 10)
  const mean = shares.reduce((a, b) => a + b, 0) / shares.length
  assert.ok(Math.abs((report.usual.rates['opened'] ?? 0) - mean) < 1e-12)
  const machinesOnly = having((marks) => (marks & 7) === bits.machine)
  assert.deepEqual(report.opens, {
    people: opened,
    machines_only: machinesOnly,
    not_tracked: untracked.length,
    judged: 40 - machinesOnly - untracked.length,
  })
  assert.deepEqual(report.revenue, [
    { currency: 'CHF', orders: 1, refunds: 0, value: 30 },
    { currency: 'EUR', orders: 2, refunds: 1, value: 20.5 },
    { currency: null, orders: 1, refunds: 0, value: 1 },
  ])
  assert.deepEqual(report.unsubscribe_ways, [
    { way: 'page', people: others.length },
    { way: 'one_click', people: 1 },
  ])
  assert.deepEqual(report.segments, [
    {
      segment_id: (report.segments[0] as unknown as { segment_id: string }).segment_id,
      name: 'Everybody added',
      sent: 40,
      opened,
      clicked: having((marks) => (marks & 4) !== 0),
      unsubscribed: leavers.length,
    },
  ])
  const lines = (report.csv ?? '').trim().split('\r\n')
  const figure = (part: string, name: string) =>
    lines.map((line) => line.split(',')).find(([own, , what]) => own === part && what === name)?.[3]
  assert.equal(figure('campaign', 'opened'), String(opened))
  assert.equal(figure('campaign', 'opened_rate'), String(report.rates['opened']))
  assert.equal(figure('campaign', 'complained_rate'), '')
  const whole = await owner.get<{ revenue: object[] }>('campaign.get', { campaign_id })
  assert.deepEqual(whole.revenue, report.revenue)

  const { campaigns } = await owner.get<{ campaigns: { campaign_id: string }[] }>('campaign.list', {
    limit: 6,
  })
  const ids = campaigns.map((campaign) => campaign.campaign_id)
  interface Compared {
    campaigns: (Report & {
      differences: { rate: string; low: number; high: number; beyond_chance: boolean }[]
    })[]
  }
  const compared = await owner.get<Compared>('report.compare', { campaign_ids: ids.slice(0, 3) })
  assert.deepEqual(
    compared.campaigns.map((entry) => entry.campaign_id),
    ids.slice(0, 3),
  )
  assert.deepEqual(compared.campaigns[0]?.counts, report.counts)
  assert.deepEqual(compared.campaigns[0]?.differences, [])
  for (const { rates, differences } of compared.campaigns.slice(1)) {
    const opens = differences.find(({ rate }) => rate === 'opened')
    const difference = (rates['opened'] ?? 0) - (report.rates['opened'] ?? 0)
    assert.ok(opens && opens.low < difference && difference < opens.high)
    assert.equal(opens.beyond_chance, opens.low > 0 || opens.high < 0)
  }
  for (const wrong of [ids.slice(0, 1), ids.slice(0, 6), [ids[0], ids[0]]]) {
    const refusal = await refused('report.compare', { campaign_ids: wrong })
    assert.equal(refusal.code, 'invalid_request')
    assert.match(refusal.field ?? '', /^campaign_ids/)
  }
  const other = await campaignScene(testbed)
  assert.equal((await other.refused('report.campaign', { campaign_id })).code, 'not_found')
  const ofBoth = { campaign_ids: ids.slice(0, 2) }
  assert.equal((await other.refused('report.compare', ofBoth)).field, 'campaign_ids')
})
