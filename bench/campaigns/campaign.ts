/** A campaign from deploy to completion, for one business with many contacts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { markAddresses } from '../../server/src/contacts/suppressions/hash-addresses.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import {
  type CampaignPlace,
  draftFor,
  draftIn,
  manyContacts,
  sendOff,
} from '../../tests/support/businesses/campaign-drafts.ts'
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts'
import { atLeast, atMost, type Bench, type Figure, median, number } from '../support/bench.ts'
import { processorSeconds } from '../support/processor-time.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { signedDomain } from './signed-domain.ts'
import { campaignWords } from './words.ts'

const { contacts, warmUp, roundsOfShort, baseline: baselineMessages } = sizes.campaign
const connections = 20
/** A campaign of ten seconds varies by a fifth from run to run; the median of three does not. */
const roundsOf = (size: number): number => (size <= 10_000 ? roundsOfShort : 1)
const domain = 'shop.example'

export const campaign: Bench = {
  name: 'campaign',
  title: 'Campaigns, from deploy to completed',
  method: `One business's contacts, all of whom agreed, get a newsletter of 20 kB HTML with words and links of their own, the unsubscribe link in its foot, and a DKIM signature by RSA-2048: \`${contacts.map((size) => number(size)).join('`, `')}\` of them, into smtp-sink over ${connections} connections, by the whole service (role all, durable PostgreSQL) on the same machine. In it: the freeze, the messages with their events and activity, usage, the feed, the beginnings of attempts before MAIL FROM, the journal, counters and the end by rows. Beside it smtp-source (C) with messages of that size, before and after each. Each service has sent a campaign to ${number(warmUp)} before; of three campaigns to 10,000 in a row the figures are the median.`,

  async run(tell) {
    const figures: Figure[] = []
    const costs: number[] = []
    for (const size of contacts) {
      const one = await measure(size, tell)
      costs.push(one.seconds / size)
      figures.push(...figuresOf(size, one))
    }
    if (costs.length > 1) {
      figures.push(
        atMost(
          'cost of a message, dearest size to cheapest',
          Math.max(...costs) / Math.min(...costs),
          1.2,
        ),
      )
    }
    return figures
  },
}

interface Measured {
  freezeSeconds: number
  /** Seconds from deploy to completion. */
  seconds: number
  /** The campaign's messages per second, divided by those of smtp-source beside it. */
  share: number
  smtpSource: number
  /** Processor seconds of the service, including its threads. */
  processorSeconds: number
  megabytes: number
  bytesEach: number
}

function figuresOf(size: number, one: Measured): Figure[] {
  const to = `to ${number(size)}: `
  return [
    atLeast(`${to}share of smtp-source`, one.share, 0.12),
    { name: `${to}messages a second`, value: number(size / one.seconds) },
    { name: `${to}messages a second, smtp-source`, value: number(one.smtpSource) },
    {
      name: `${to}processor time of the service, for each message`,
      value: `${number((one.processorSeconds * 1e6) / size)} µs`,
    },
    { name: `${to}freeze`, value: `${number(one.freezeSeconds)} s` },
    { name: `${to}rows a second of it`, value: number(size / one.freezeSeconds) },
    atMost(`${to}memory of the service, at its peak`, one.megabytes, 250, ' MB'),
    { name: `${to}database, for each recipient`, value: `${number(one.bytesEach)} bytes` },
  ]
}

async function measure(size: number, tell: (line: string) => void): Promise<Measured> {
  const sink = await startSmtpSink()
  const testbed = await openTestbed({
    SMTP_URL: sink.url(`?pool=${connections}&warmup=no`),
    SENDER_GATE: 'off',
    MAIL_FROM: `News <hello@${domain}>`,
    CANARY_SECONDS: '0',
  })
  try {
    tell(`${number(size)} contacts`)
    const { db } = testbed
    const first = await draftIn(db, warmUp, campaignWords)
    const { businessId } = first
    await signedDomain(db, testbed.dataDir, { businessId, name: domain })
    // Marks addresses as saving a contact does, and as the plan does before a deploy for old ones.
    const { hmac } = await openVault(db, installationSecret(testbed.dataDir), new Date())
    await markAddresses(db, hmac, businessId)
    await sendOff(first)
    await completed(testbed, first, () => {})
    await manyContacts(db, businessId, size - warmUp)
    await markAddresses(db, hmac, businessId)
    await db.run(sql`vacuum analyze`)
    const before = await databaseBytes(testbed)
    const rounds: Round[] = []
    for (let n = 0; n < roundsOf(size); n++) {
      const place = { db, businessId, campaignId: await draftFor(db, businessId, campaignWords) }
      rounds.push(await round({ testbed, sinkPort: sink.port, size, place }, tell))
    }
    const middle = (of: (one: Round) => number): number => median(rounds.map(of))
    return {
      freezeSeconds: middle((entry) => entry.freezeSeconds),
      seconds: middle((entry) => entry.seconds),
      share: middle((entry) => size / entry.seconds / entry.smtpSource),
      smtpSource: middle((entry) => entry.smtpSource),
      processorSeconds: middle((entry) => entry.processorSeconds),
      megabytes: peakMegabytes(testbed.service.pid),
      bytesEach: ((await databaseBytes(testbed)) - before) / size / rounds.length,
    }
  } finally {
    await testbed.close()
    await sink.stop()
  }
}

interface RoundOptions {
  testbed: BenchTestbed
  sinkPort: number
  size: number
  place: CampaignPlace
}

interface Round extends Times {
  smtpSource: number
  processorSeconds: number
}

/** One campaign, with smtp-source before and after it. */
async function round(
  { testbed, sinkPort, size, place }: RoundOptions,
  tell: (line: string) => void,
): Promise<Round> {
  const baseline = [await smtpSource(sinkPort)]
  const before = processorSeconds(testbed.service.pid)
  await sendOff(place)
  const times = await completed(testbed, place, (n) => tell(`${number(n)} of ${number(size)}`))
  const spent = processorSeconds(testbed.service.pid) - before
  baseline.push(await smtpSource(sinkPort))
  tell(`smtp-source: ${baseline.map((rate) => `${number(rate)}/s`).join(' and ')}`)
  return { ...times, smtpSource: median(baseline), processorSeconds: spent }
}

interface Times {
  freezeSeconds: number
  seconds: number
}

/** Waits until a campaign has ended, and tells how many have been sent every ten seconds. */
export async function completed(
  { db }: Pick<BenchTestbed, 'db'>,
  { businessId, campaignId }: CampaignPlace,
  tell: (sent: number) => void,
): Promise<Times> {
  let told = performance.now()
  for (;;) {
    await sleep(200)
    const row = await db.one<{
      freeze: number | null
      whole: number | null
      taken: number | null
    }>(sql`
      select extract(epoch from c.frozen_at - c.deployed_at)::float as freeze,
        extract(epoch from c.completed_at - c.deployed_at)::float as whole, r.taken
      from campaigns c left join campaign_runs r
        on r.business_id = c.business_id and r.campaign_id = c.id
      where c.business_id = ${businessId} and c.id = ${campaignId}
    `)
    if (row.freeze !== null && row.whole !== null) {
      return { freezeSeconds: row.freeze, seconds: row.whole }
    }
    if (performance.now() - told < 10_000) continue
    told = performance.now()
    tell(row.taken ?? 0)
  }
}

async function databaseBytes({ db }: BenchTestbed): Promise<number> {
  const { bytes } = await db.one<{ bytes: number }>(sql`
    select pg_database_size(current_database()) as bytes
  `)
  return bytes
}

/** The peak since the start of the process, as the kernel records it. */
function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6
}

async function smtpSource(port: number): Promise<number> {
  const size = campaignWords.html.length + campaignWords.text.length
  const flags = [
    '-s',
    String(connections),
    '-m',
    String(baselineMessages),
    '-l',
    String(size),
    '-d',
  ]
  const where = ['-f', `hello@${domain}`, '-t', 'person@example.net', `127.0.0.1:${port}`]
  const began = performance.now()
  const child = spawn('/usr/sbin/smtp-source', [...flags, ...where], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`smtp-source ended with ${code}`)
  return (baselineMessages * 1000) / (performance.now() - began)
}
