/** Filters over a million contacts and ten million activities. */
import { timeZoneOf } from '../../server/src/accounts/businesses/time-zone.ts'
import { compileFilter } from '../../server/src/contacts/filters/compile.ts'
import type { Filter } from '../../server/src/contacts/filters/filter.ts'
import { readFilter } from '../../server/src/contacts/filters/read.ts'
import { countMatching } from '../../server/src/contacts/search.ts'
import { formatId } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { atMost, type Bench, type Figure, median, number } from '../support/bench.ts'
import { mintTokens, settle } from '../support/population.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { answerOf, callBody, sendCall } from '../writes/support/call-tool.ts'
import { type Crowd, fillCrowd } from './audience-population.ts'
import { otherwise, theTwelve } from './the-twelve.ts'

const { contacts: many, runs, pages } = sizes.segments
const few = Math.max(1_000, many / 100)

export const segments: Bench = {
  name: 'segments',
  title: 'Filters',
  method: `${number(many)} contacts of one business with about ten activities each over two years, beside a business of ${number(few)}. Each of the twelve filters of docs/guides/filters.md is counted ${runs} times (median), as it stands and written in another order and nesting; pages of 100 by \`contact.list\` over HTTP.`,

  async run(tell) {
    const testbed = await openTestbed()
    try {
      const population = await settle(testbed.db, 2)
      const [small, large] = population.connected.map(({ businesses }) => businesses[0]?.id)
      if (!small || !large) throw new Error('no business')
      tell(`making ${number(few)} contacts`)
      const smallCrowd = await fillCrowd(testbed.db, small, few)
      tell(`making ${number(many)} contacts and what they did`)
      const crowd = await fillCrowd(testbed.db, large, many)
      await testbed.db.run(sql`vacuum analyze`)
      await testbed.db.run(sql`update connections set scopes = '{audience:read}'`)
      const { n } = await testbed.db.one<{ n: number }>(sql`
        select count(*) as n from contact_activity where business_id = ${large}
      `)
      tell(`${number(n)} activities`)
      const counts = await counting(testbed.db, { crowd, smallCrowd }, tell)
      const [, token = ''] = await mintTokens(testbed, population, ['audience:read'])
      const paged = await paging(testbed, token, { crowd, tell })
      const explained = await explaining(testbed, token, crowd)
      return [{ name: 'activities', value: number(n) }, ...counts, ...paged, explained]
    } finally {
      await testbed.close()
    }
  },
}

interface Crowds {
  crowd: Crowd
  smallCrowd: Crowd
}

async function counting(
  db: Database,
  { crowd, smallCrowd }: Crowds,
  tell: (line: string) => void,
): Promise<Figure[]> {
  const taken: number[] = []
  const growths: number[] = []
  const ratios: number[] = []
  const figures: Figure[] = []
  const smaller: number[] = []
  const ofFew = theTwelve(smallCrowd)
  for (const [i, filter] of theTwelve(crowd).entries()) {
    const { ms, people } = await counted(db, crowd, filter)
    const other = await counted(db, crowd, otherwise(filter))
    const small = await counted(db, smallCrowd, ofFew[i] ?? filter)
    if (other.people !== people)
      throw new Error(`filter ${i + 1} is not the same written otherwise`)
    taken.push(ms)
    smaller.push(small.ms)
    growths.push(ms / small.ms)
    ratios.push(other.ms / ms)
    tell(
      `${i + 1}: ${number(people)} people in ${number(ms)} ms; otherwise ${number(other.ms)} ms; of ${number(few)} in ${number(small.ms)} ms`,
    )
    figures.push(atMost(`filter ${i + 1}: ${number(people)} people`, ms, 1_000, ' ms'))
  }
  return [
    ...figures,
    atMost('median of the twelve', median(taken), 350, ' ms'),
    atMost('the same written otherwise, the worst', Math.max(...ratios), 1.5),
    atMost(
      `cost of the twelve together for ${many / few} times the contacts`,
      sum(taken) / sum(smaller),
      many / few,
    ),
    { name: 'the same of one, the worst', value: number(Math.max(...growths)) },
  ]
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

async function counted(db: Database, { businessId }: Crowd, written: Filter) {
  const filter = readFilter(written)
  const zone = await timeZoneOf(db, businessId)
  const times: number[] = []
  let people = 0
  for (let run = 0; run <= runs; run += 1) {
    const where = compileFilter(filter, { businessId, now: new Date(), zone })
    const began = performance.now()
    people = await countMatching(db, businessId, { where })
    // The first run is not counted, because it reads data that no other run has read yet.
    if (run > 0) times.push(performance.now() - began)
  }
  return { ms: median(times), people }
}

interface Paging {
  crowd: Crowd
  tell: (line: string) => void
}

async function paging(
  testbed: BenchTestbed,
  token: string,
  { crowd, tell }: Paging,
): Promise<Figure[]> {
  const asked: [what: string, filter: Filter, most: number][] = [
    ['one in a hundred', { tag: 'vip' }, 300],
    ['one in two thousand', { tag: 'staff' }, 1_000],
    ['who opened within 30 days', { did: 'message.opened', within: '30 days' }, 300],
    ['of several conditions', theTwelve(crowd)[3] ?? { tag: 'vip' }, 300],
  ]
  const figures: Figure[] = []
  for (const [what, filter, most] of asked) {
    const times: number[] = []
    let cursor: string | undefined
    for (let page = 0; page < pages; page += 1) {
      const business_id = formatId('business', crowd.businessId)
      const more = cursor === undefined ? {} : { cursor }
      const body = callBody('contact.list', { business_id, filter, limit: 100, ...more })
      const began = performance.now()
      const answer = answerOf<{ next_cursor?: string }>(await sendCall(testbed, token, body))
      times.push(performance.now() - began)
      cursor = answer.next_cursor
    }
    const worst = times.toSorted((a, b) => a - b).at(-1) ?? Number.NaN
    tell(`a page of 100, ${what}: median ${number(median(times))}, worst ${number(worst)} ms`)
    figures.push(atMost(`a page of 100, ${what}, the slowest of ${pages}`, worst, most, ' ms'))
  }
  return figures
}

/** Each of six conditions alone, in order. */
async function explaining(
  testbed: BenchTestbed,
  token: string,
  { businessId, campaignId: campaign_id }: Crowd,
): Promise<Figure> {
  const filter = {
    and: [
      { consent: 'email', is: 'subscribed' },
      { not: { tag: 'staff' } },
      { field: 'attributes.total_spent', op: 'gte', value: 200 },
      { did: 'message.sent', campaign_id },
      { did_not: 'message.clicked', within: '30 days' },
      { or: [{ did: 'message.opened', within: '90 days' }] },
    ],
  }
  const business_id = formatId('business', businessId)
  const times: number[] = []
  for (let run = 0; run < 3; run += 1) {
    const body = callBody('segment.explain', { business_id, filter })
    const told = answerOf<{ ms: number; newest_only?: number }>(
      await sendCall(testbed, token, body),
    )
    if (told.newest_only) throw new Error('not all contacts were counted')
    times.push(told.ms)
  }
  return atMost('segment.explain of six conditions', median(times), 4_000, ' ms')
}
