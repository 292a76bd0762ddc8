/** How long a receipt waits during a campaign while one provider refuses and slows down. */
import { setTimeout as sleep } from 'node:timers/promises'
import { markAddresses } from '../../server/src/contacts/suppressions/hash-addresses.ts'
import type { Id } from '../../server/src/core/ids.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import {
  type CampaignPlace,
  draftFor,
  manyContacts,
  sendOff,
} from '../../tests/support/businesses/campaign-drafts.ts'
import { type Arrivals, createArrivals, quantile } from '../support/arrivals.ts'
import { atMost, type Bench, type Figure, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { callTool } from '../writes/support/call-tool.ts'
import { settleWriters } from '../writes/support/writers.ts'
import { type ProviderAnswer, startProviderRelay } from './provider-relay.ts'
import { signedDomain } from './signed-domain.ts'
import { campaignWords } from './words.ts'

const { contacts: size, seconds, warmUpSeconds } = sizes.streams
const connections = 20
const domain = 'shop.example'
const slow = 'slow.example'
const fine = 'fine.example'
const slowMs = 300
const everyMs = 100
/** A receipt that has not arrived within this time counts with it. */
const mostMs = 10_000

export const streams: Bench = {
  name: 'streams',
  title: 'Receipts beside a campaign that one provider refuses and slows',
  method: `A business sends a campaign of 20 kB HTML, signed by RSA-2048, to ${number(size)} contacts over ${connections} connections to one relay. A fifth of them are at a provider that answers RCPT after ${slowMs} ms, and refuses half of the campaign by policy (550 5.7.1) or with 421. Meanwhile a receipt of the same business is sent by \`email.send\` every ${everyMs} ms for ${seconds} s, nine in ten to another provider; measured is the time from the call to the relay's 250. Beside it the same receipts before the campaign, in the same run. What has not arrived after ${number(mostMs / 1000)} s counts with that. The service (role all), its database, the relay and the caller share the machine.`,

  async run(tell) {
    const arrivals = createArrivals()
    const relay = await startProviderRelay({ answerTo, accepted: arrivals.came })
    const testbed = await openTestbed({
      SMTP_URL: relay.url(`?pool=${connections}&warmup=no`),
      SENDER_GATE: 'off',
      MAIL_FROM: `News <hello@${domain}>`,
      CANARY_SECONDS: '0',
    })
    try {
      const place = await settled(testbed, tell)
      const caller = await receiptsOf(testbed, place, arrivals)
      await caller.send(warmUpSeconds)
      const quiet = await caller.send(seconds)
      tell(`quiet: ${shown(quiet.others)}`)
      await sendOff(place)
      const before = await underWay(place)
      const began = performance.now()
      const busy = await caller.send(seconds)
      const sent = (await endedIn(place)) - before
      const rate = (sent * 1000) / (performance.now() - began)
      tell(`busy: ${shown(busy.others)}; ${number(rate)} of the campaign a second`)
      return figuresOf(quiet, busy, rate)
    } finally {
      await testbed.close()
      await relay.stop()
    }
  },
}

function figuresOf(quiet: Waits, busy: Waits, rate: number): Figure[] {
  const p99 = (waits: Waits) => quantile(waits.others, 0.99)
  const ms = (value: number) => `${number(value)} ms`
  return [
    atMost('receipts during the campaign, p99', p99(busy), 500, ' ms'),
    atMost('the same against the quiet run', p99(busy) / p99(quiet), 3),
    { name: 'receipts during the campaign, p50', value: ms(quantile(busy.others, 0.5)) },
    { name: 'receipts in the quiet run, p50', value: ms(quantile(quiet.others, 0.5)) },
    { name: 'receipts in the quiet run, p99', value: ms(p99(quiet)) },
    {
      name: 'receipts to the provider that slows, p50 and p99',
      value: `${ms(quantile(busy.slow, 0.5))}, ${ms(quantile(busy.slow, 0.99))}`,
    },
    { name: 'receipts that had not arrived', value: number(busy.missing) },
    { name: 'messages of the campaign ended a second', value: number(rate) },
  ]
}

/** Every provider accepts receipts, and all but one accept newsletters. */
function answerTo(recipient: string): ProviderAnswer | undefined {
  if (!recipient.endsWith(`@${slow}`)) return undefined
  const afterMs = slowMs
  if (recipient.startsWith('receipt-')) return { words: '250 2.1.5 ok', afterMs }
  const chance = Math.random()
  if (chance < 0.3) return { words: '550 5.7.1 blocked by our policy', afterMs }
  if (chance < 0.5) return { words: '421 4.7.0 too much of it', afterMs }
  return { words: '250 2.1.5 ok', afterMs }
}

async function settled(
  testbed: BenchTestbed,
  tell: (line: string) => void,
): Promise<CampaignPlace & { tokens: readonly string[] }> {
  const { db, dataDir } = testbed
  // A token may make 600 calls in any minute.
  const receipts = (2 * (seconds + warmUpSeconds) * 1000) / everyMs
  const writers = await settleWriters(testbed, {
    businesses: 1,
    connections: Math.ceil(receipts / 300),
  })
  const businessId = writers.businessIds[0] as Id<'business'>
  await signedDomain(db, dataDir, { businessId, name: domain })
  tell(`${number(size)} contacts`)
  await manyContacts(db, businessId, size)
  await db.run(sql`
    update contacts set email = split_part(email, '@', 1) ||
      case when split_part(split_part(email, '@', 1), '-', 2)::int % 5 = 0
        then ${`@${slow}`} else ${`@${fine}`} end
    where business_id = ${businessId}
  `)
  const { hmac } = await openVault(db, installationSecret(dataDir), new Date())
  await markAddresses(db, hmac, businessId)
  const campaignId = await draftFor(db, businessId, campaignWords)
  await db.run(sql`vacuum analyze`)
  return { db, businessId, campaignId, tokens: writers.tokens }
}

/** Resolves once a part of the campaign has been sent, with that number. */
async function underWay(place: CampaignPlace): Promise<number> {
  for (;;) {
    const ended = await endedIn(place)
    if (ended >= Math.min(1_000, size / 20)) return ended
    await sleep(100)
  }
}

async function endedIn({ db, businessId, campaignId }: CampaignPlace): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select coalesce(sum(amount), 0)::int as n from campaign_counts
    where business_id = ${businessId} and campaign_id = ${campaignId}
      and metric in ('sent', 'failed')
  `)
  return n
}

interface Waits {
  others: number[]
  slow: number[]
  missing: number
}

async function receiptsOf(
  testbed: BenchTestbed,
  { tokens }: { tokens: readonly string[] },
  arrivals: Arrivals,
) {
  let last = 0
  const one = async (to: string, waits: Waits): Promise<void> => {
    const token = tokens[Math.floor(last / 300) % tokens.length] as string
    const began = performance.now()
    const arrived = arrivals.of(to)
    const input = { to, subject: `Receipt ${last}`, html: '<p>Thank you for your order.</p>' }
    await callTool(testbed, token, 'email.send', input)
    const left = mostMs - (performance.now() - began)
    const at = await Promise.race([arrived, sleep(left)])
    if (at === undefined) waits.missing++
    const list = to.endsWith(`@${slow}`) ? waits.slow : waits.others
    list.push(at === undefined ? mostMs : at - began)
  }
  return {
    /** Sends at fixed times, so that a slow receipt delays no other one. */
    async send(forSeconds: number): Promise<Waits> {
      const waits: Waits = { others: [], slow: [], missing: 0 }
      const all: Promise<void>[] = []
      const began = performance.now()
      for (let n = 0; n * everyMs < forSeconds * 1000; n++) {
        await sleep(Math.max(0, began + n * everyMs - performance.now()))
        const provider = n % 10 === 9 ? slow : fine
        all.push(one(`receipt-${++last}@${provider}`, waits))
      }
      await Promise.all(all)
      return waits
    },
  }
}

const shown = (values: readonly number[]) =>
  [0.5, 0.9, 0.99, 1].map((share) => `${number(quantile(values, share))} ms`).join(', ')
