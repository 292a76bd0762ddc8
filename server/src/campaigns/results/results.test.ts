import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { type MessageReport, recordReports } from '../../messages/reports/reports.ts'
import { countTally } from '../campaign-run.ts'
import { addToProviders } from '../providers/counts.ts'
import { campaignOutcomes } from './outcomes.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

interface Shown {
  counts: Record<string, number>
  variants: { counts: Record<string, number> }[]
  links: { url: string; people: number; machines: number }[]
  series: { step_seconds: number; points: ({ at: string } & Record<string, number | string>)[] }
}

const shop = 'https://shop.example/menu'
const blog = 'https://shop.example/blog'

async function completed(people: number) {
  const running = await draftTo(testbed, people)
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const rows = await testbed.db.all<{ id: Id<'message'> }>(sql`
    select message_id as id from campaign_recipients
    where campaign_id = ${running.campaignId} order by contact_id
  `)
  return { running, messages: rows.map(({ id }) => id) }
}

type News = Pick<MessageReport, 'messageId' | 'event'> & Partial<MessageReport>

let reports = 0
async function tell({ businessId }: Running, news: News[], at = new Date()) {
  const rows = news.map((entry) => ({ businessId, at, source: `test ${++reports}`, ...entry }))
  await testbed.db.tx((tx) => recordReports(tx, rows, at, campaignOutcomes))
}

const shownOf = ({ scene, name }: Running) =>
  scene.owner.get<Shown>('campaign.get', { campaign_id: name })

test('people and machines are counted separately, each once, in total and by link', async () => {
  const { running, messages } = await completed(4)
  const [one, two, three] = messages
  assert.ok(one && two && three)
  const click = (messageId: Id<'message'>, url: string, machine = false) => {
    return { messageId, event: 'clicked' as const, url, machine }
  }
  await tell(running, [
    { messageId: one, event: 'opened', machine: true },
    { messageId: one, event: 'opened' },
    { messageId: two, event: 'opened' },
    click(one, shop),
    click(two, shop),
    click(two, blog),
    click(three, shop, true),
    click(three, blog, true),
  ])
  // A repeated click of the same person.
  await tell(running, [click(one, shop), { messageId: two, event: 'opened' }])
  const { counts, links, variants } = await shownOf(running)
  assert.deepEqual(links, [
    { url: shop, people: 2, machines: 1 },
    { url: blog, people: 1, machines: 1 },
  ])
  const { opened, opened_by_machine, clicked, clicked_by_machine } = counts
  assert.deepEqual([opened, opened_by_machine, clicked, clicked_by_machine], [2, 1, 2, 1])
  assert.deepEqual(variants[0]?.counts, counts)
  // The people behind each figure, and no machine.
  const { scene, name } = running
  const found = async (more: object) => {
    const query = { campaign_id: name, ...more }
    const why = await scene.owner.get<{ recipients: { message_id: string }[] }>(
      'campaign.why',
      query,
    )
    return new Set(why.recipients.map(({ message_id }) => parseId('message', message_id)))
  }
  assert.deepEqual(await found({ link: shop }), new Set([one, two]))
  assert.deepEqual(await found({ link: blog }), new Set([two]))
  assert.deepEqual(await found({ link: 'https://shop.example/none' }), new Set())
  assert.deepEqual(await found({ status: 'clicked' }), new Set([one, two]))
  assert.deepEqual(await found({ status: 'opened' }), new Set([one, two]))
  assert.deepEqual(await found({ status: 'bounced', link: shop }), new Set())
  await tell(running, [click(three, 'https://shop.example/')])
  assert.deepEqual(await found({ link: 'https://shop.example' }), new Set([three]))
  // An address that was filled in into a link is of one person.
  await tell(running, [click(two, 'https://shop.example/?p=annavq')])
  const sees = { businesses: [running.businessId], seesMasked: true }
  const masked = await testbed.caller(sees)
  for (const [operation, more] of [
    ['campaign.get'],
    ['report.campaign', { format: 'csv' }],
  ] as const) {
    const { text, body } = await masked.call(operation, { campaign_id: name, ...more })
    assert.equal((body['links'] as object[]).length, 4, operation)
    assert.doesNotMatch(text, /annavq/, operation)
  }
  const link = 'https://shop.example/?p=annavq'
  const refusal = await masked.call('campaign.why', { campaign_id: name, link })
  assert.deepEqual([refusal.kind, refusal.body['field']], ['refusal', 'link'])
})

test('results over time are given in steps of ten minutes, and in larger steps for a long campaign', async () => {
  const { running, messages } = await completed(3)
  const [one, two] = messages
  assert.ok(one && two)
  const soon = later(new Date(), minutes(25))
  await tell(running, [{ messageId: one, event: 'opened' }], soon)
  const { series } = await shownOf(running)
  assert.equal(series.step_seconds, 600)
  const sums = (name: string) =>
    series.points.reduce((sum, point) => sum + Number(point[name] ?? 0), 0)
  assert.deepEqual([sums('sent'), sums('opened')], [3, 1])
  const opened = series.points.find((point) => point['opened'])
  assert.equal(opened?.at, new Date(Math.floor(soon.getTime() / 600_000) * 600_000).toISOString())
  await tell(
    running,
    [{ messageId: two, event: 'opened' }],
    later(new Date(), minutes(3 * 24 * 60)),
  )
  const long = (await shownOf(running)).series
  assert.equal(long.step_seconds, 3_600)
  assert.ok(long.points.length <= 3)
})

test('a campaign with different links for each person stores at most two hundred of them', async () => {
  const { running, messages } = await completed(1)
  const [one] = messages
  assert.ok(one)
  for (let n = 0; n < 21; n++) {
    const news = Array.from({ length: 10 }, (_, i) => {
      const url = `https://shop.example/${n * 10 + i}`
      return { messageId: one, event: 'clicked' as const, url }
    })
    await tell(running, news)
  }
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(*)::int as n from campaign_links where campaign_id = ${running.campaignId}
  `)
  assert.equal(n, 200)
  const { links, counts } = await shownOf(running)
  assert.equal(links.length, 50)
  assert.equal(counts['clicked'], 1)
})

test('a campaign of the built-in inbox says that nothing left and that nothing is reported', async () => {
  const { running, messages } = await completed(2)
  const { scene, name: campaign_id, campaignId } = running
  const flagsOf = async () => {
    const shown = await scene.owner.get<Record<string, unknown>>('campaign.get', { campaign_id })
    return [shown['leaves_this_machine'], shown['delivery_reported'], shown['complaints_reported']]
  }
  assert.deepEqual(await flagsOf(), [false, false, false])
  // A report that came in any case is worth more than what the settings promise.
  await tell(running, [
    { messageId: messages[0] as Id<'message'>, event: 'delivered' },
    { messageId: messages[1] as Id<'message'>, event: 'complained' },
  ])
  assert.deepEqual(await flagsOf(), [false, true, true])
  // What was true when it was sent stays, whatever the settings are later.
  await testbed.db.run(sql`
    update campaigns set leaves_machine = true, delivery_reported = true where id = ${campaignId}
  `)
  assert.deepEqual(await flagsOf(), [true, true, true])
})

test('a provider that reports no complaints is shown as such, unless it reported one', async () => {
  const { running } = await completed(1)
  const { businessId, campaignId, scene, name: campaign_id } = running
  await testbed.db.run(sql`
    update campaigns set complaints_reported = true where id = ${campaignId}
  `)
  await testbed.db.tx((tx) => {
    const zeros = { delivered: 0, deferred: 0, refused: 0, refusedByPolicy: 0, bounced: 0 }
    const rows = [
      { provider: 'gmail', complained: 0 },
      { provider: 'apple', complained: 1 },
      { provider: 'yahoo', complained: 0 },
    ].map((row) => ({ ...zeros, ...row, businessId, campaignId, sent: 5 }))
    return addToProviders(tx, rows, { slot: 0, limit: 10 })
  })
  const expected = { gmail: false, apple: true, yahoo: true }
  type Line = { provider: string | null; complaints_reported: boolean }
  const reportedBy = (lines: Line[]) =>
    Object.fromEntries(
      lines
        .filter(({ provider }) => provider !== null && provider in expected)
        .map(({ provider, complaints_reported }) => [provider, complaints_reported]),
    )
  const shown = await scene.owner.get<{ providers: Line[] }>('campaign.get', { campaign_id })
  assert.deepEqual(reportedBy(shown.providers), expected)
  const usage = await scene.owner.get<{ providers: Line[] }>('meta.usage', {})
  assert.deepEqual(reportedBy(usage.providers), expected)
  const tally = await countTally(testbed.db, { businessId, campaignId })
  assert.equal(tally.silent, 5)
})
