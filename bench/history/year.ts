/** A year of mails, a month at a time, and the night that ends the oldest month beside callers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { markAddresses } from '../../server/src/contacts/suppressions/hash-addresses.ts'
import type { Id } from '../../server/src/core/ids.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import type { Job, Verdict } from '../../server/src/lib/jobs/job.ts'
import { days, later, systemClock } from '../../server/src/lib/time/clock.ts'
import { retentionJob } from '../../server/src/retention/job.ts'
import { retentionJobs } from '../../server/src/retention/jobs.ts'
import { newBusiness } from '../../tests/support/businesses/business.ts'
import { draftFor, sendOff } from '../../tests/support/businesses/campaign-drafts.ts'
import { testVault } from '../../tests/support/clients/calls.ts'
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts'
import { completed } from '../campaigns/campaign.ts'
import { campaignWords } from '../campaigns/words.ts'
import { atLeast, atMost, type Bench, type Figure, number } from '../support/bench.ts'
import { callsBeside, openCallers } from '../support/beside.ts'
import { processorSeconds } from '../support/processor-time.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { addCampaign, addContacts, bytesOf } from './rows.ts'

/** So that of 13 months one alone is older than 12 of the calendar. */
const monthDays = 30
const { mails, contacts, months, readers, historyMonths, callers, quietMs } = sizes.year

/** The tables that grow with the mails. */
const grown = [
  'messages',
  'message_events',
  'campaign_recipients',
  'campaign_link_people',
  'contact_activity',
] as const

export const year: Bench = {
  name: 'year',
  title: 'A year of mails',
  method: `${months} months of ${number(mails)} mails to ${number(contacts)} contacts of one business, each with a message and its event, a recipient and two entries of a timeline, in transactions of 1,000 mails. After the first month and after the last, the whole service sends a campaign to ${number(readers)} of them. Then the night of \`HISTORY_MONTHS=${historyMonths}\` deletes what is older, while ${callers} callers change and read contacts over HTTP, and each table is vacuumed alone.`,

  async run(tell) {
    const sink = await startSmtpSink()
    // Its worker's nights limit no history, and so delete nothing.
    const testbed = await openTestbed({
      SMTP_URL: sink.url('?pool=20&warmup=no'),
      SENDER_GATE: 'off',
      CANARY_SECONDS: '0',
    })
    try {
      const { db } = testbed
      const businessId = await newBusiness(db)
      const start = later(new Date(), -days(monthDays * months))
      await addContacts(db, businessId, { contacts, readers, at: start })
      const { hmac } = await openVault(db, installationSecret(testbed.dataDir), new Date())
      await markAddresses(db, hmac, businessId)
      await db.run(sql`vacuum analyze contacts`)
      // What a service does slower in its first campaign is no part of a ratio.
      await sendNews(testbed, businessId)
      const empty = await bytesOf(db)
      const rates: number[] = []
      const costs: number[] = []
      const sends: Sending[] = []
      for (let month = 0; month < months; month += 1) {
        const began = performance.now()
        const before = await processorTimes(db)
        for (let sent = 0; sent < mails; sent += contacts) {
          const at = later(start, days(monthDays * month) + sent)
          await addCampaign(db, businessId, {
            mails: Math.min(contacts, mails - sent),
            from: 1,
            at,
          })
        }
        rates.push(mails / ((performance.now() - began) / 1_000))
        costs.push((spentSince(before, await processorTimes(db)) / mails) * 1e6)
        tell(
          `month ${month + 1}: ${number(rates.at(-1) ?? 0)} mails a second, ${number(costs.at(-1) ?? 0)} µs of processor time each`,
        )
        if (month > 0 && month < months - 1) continue
        sends.push(await sendNews(testbed, businessId))
        tell(`a campaign: ${number(sends.at(-1)?.rate ?? 0)} mails a second`)
      }
      const full = await bytesOf(db)
      const load = await openCallers(testbed, { count: callers, contacts: 10_000 })
      await sleep(quietMs / 10)
      const quiet = await callsBeside(load, () => sleep(quietMs))
      const rowsBefore = await rowsIn(db)
      const night = await callsBeside(load, () => endMonths(db))
      const deleted = rowsBefore - (await rowsIn(db))
      tell(
        `the night: ${number(deleted)} rows in ${number(night.seconds)} s, p99 ${number(night.p99)} ms`,
      )
      const vacuums: Figure[] = []
      let longest = 0
      for (const table of grown) {
        const began = performance.now()
        await db.run({ name: '', text: `vacuum analyze ${table}`, values: [] })
        const seconds = (performance.now() - began) / 1_000
        longest = Math.max(longest, seconds)
        vacuums.push({ name: `vacuum of ${table}`, value: `${number(seconds)} s` })
      }
      const [first = 1] = rates
      const [cheap = 1] = costs
      const [young, old] = sends
      if (!young || !old) throw new Error('no campaign was sent')
      return [
        { name: 'mails a second, first month', value: number(first) },
        { name: `mails a second, month ${months}`, value: number(rates.at(-1) ?? 0) },
        atLeast('last month, times the first', (rates.at(-1) ?? 0) / first, 0.9),
        {
          name: 'processor time of the database for a mail, first month',
          value: `${number(cheap)} µs`,
        },
        atLeast(
          'what a processor writes in the last month, times the first',
          cheap / (costs.at(-1) ?? 1),
          0.9,
        ),
        { name: 'a campaign after the first month, mails a second', value: number(young.rate) },
        { name: `after month ${months}`, value: number(old.rate) },
        {
          name: 'its processor time for a mail, service and database',
          value: `${number(young.cost)} and ${number(old.cost)} µs`,
        },
        atLeast('its rate after the last month, times the first', old.rate / young.rate, 0.9),
        {
          name: 'database for each mail',
          value: `${number((full - empty) / (mails * months))} bytes`,
        },
        { name: 'p99 of a call, quiet', value: `${number(quiet.p99)} ms` },
        { name: 'rows deleted in the night', value: number(deleted) },
        { name: 'seconds of the night', value: number(night.seconds) },
        { name: 'rows deleted a second', value: number(deleted / night.seconds) },
        atMost('p99 during the night, times quiet', night.p99 / quiet.p99, 3),
        ...vacuums,
        atMost('longest vacuum', longest / 60, 30, ' min'),
      ]
    } finally {
      await testbed.close()
      await sink.stop()
    }
  },
}

interface Sending {
  /** Mails a second, from deploy to completion. */
  rate: number
  /** Microseconds of processor time of the service and the database for a mail. */
  cost: number
}

/** What an owner notices: a campaign to people who have a history, by the whole service. */
async function sendNews(testbed: BenchTestbed, businessId: Id<'business'>): Promise<Sending> {
  const { db, service } = testbed
  const audience = { filter: { tag: 'reader' } }
  const campaignId = await draftFor(db, businessId, campaignWords, audience)
  const place = { db, businessId, campaignId }
  const before = [processorSeconds(service.pid), await processorTimes(db)] as const
  await sendOff(place)
  const { seconds } = await completed(testbed, place, () => {})
  const spent =
    processorSeconds(service.pid) - before[0] + spentSince(before[1], await processorTimes(db))
  return { rate: readers / seconds, cost: (spent / readers) * 1e6 }
}

async function rowsIn(db: Database): Promise<number> {
  let rows = 0
  for (const table of grown) {
    const text = `select count(*)::float8 as n from ${table}`
    rows += (await db.one<{ n: number }>({ name: '', text, values: [] })).n
  }
  return rows
}

/** Seconds of processor time by the process of each connection: the load of other programs does not change them. */
async function processorTimes(db: Database): Promise<Map<number, number>> {
  const rows = await db.all<{ pid: number }>(
    sql`select pid from pg_stat_activity where backend_type = 'client backend'`,
  )
  return new Map(rows.map(({ pid }) => [pid, processorSeconds(pid)]))
}

function spentSince(before: Map<number, number>, now: Map<number, number>): number {
  return [...now].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0)
}

/** As the jobs of a night do, which else begin at 3:00. */
async function endMonths(db: Database): Promise<void> {
  const deps = { db, clock: systemClock, hmac: testVault.hmac, historyMonths }
  const kinds = retentionJobs(deps)
  const { signal } = new AbortController()
  await kinds['retention.begin-nights']?.run({} as Job, signal)
  const businesses = await db.all<{ id: string }>(
    sql`select distinct business_id as id from messages`,
  )
  for (const { id } of businesses) {
    let verdict: Verdict | undefined
    while (verdict?.outcome !== 'done') {
      const job = { payload: { business_id: id } } as Job
      verdict = (await kinds[retentionJob]?.run(job, signal)) as Verdict
    }
  }
}
