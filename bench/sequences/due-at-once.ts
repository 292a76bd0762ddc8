/** Many people of many sequences who are due at one moment, beside a campaign to as many. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { wakeAt } from '../../server/src/sequences/enter.ts'
import { draftFor, sendOff } from '../../tests/support/businesses/campaign-drafts.ts'
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts'
import { campaignWords } from '../campaigns/words.ts'
import { quantile } from '../support/arrivals.ts'
import { atLeast, atMost, type Figure, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { callTool } from '../writes/support/call-tool.ts'
import {
  addPeople,
  connections,
  count,
  domain,
  mailStep,
  type SequencesPlace,
  settleBusinesses,
  startSequence,
  track,
} from './place.ts'

const { inside, due, warmUp, neighbourSeconds, burst } = sizes.sequences

type Tell = (line: string) => void

export async function dueAtOnce(tell: Tell): Promise<Figure[]> {
  const sink = await startSmtpSink()
  const testbed = await openTestbed({
    SMTP_URL: sink.url(`?pool=${connections}&warmup=no`),
    SENDER_GATE: 'off',
    MAIL_FROM: `News <hello@${domain}>`,
    CANARY_SECONDS: '0',
  })
  try {
    const { db } = testbed
    const place = await settleBusinesses(testbed, 20)
    const { businessId, tokens } = place
    await addPeople(testbed, businessId, warmUp)
    await campaignSeconds(db, businessId)
    await addPeople(testbed, businessId, due - warmUp)
    const campaigning = campaignSeconds(db, businessId)
    const besideCampaign = await callsOf(testbed, place, campaigning)
    const campaign = await campaigning
    tell(`a campaign to ${number(due)}: ${number(campaign)} s`)
    const sequenceIds = await startAll(testbed, tokens)
    await addPeople(testbed, businessId, inside - due)
    await letWait(db, businessId, sequenceIds)
    await db.run(sql`vacuum analyze`)
    const firstMoment = await fallDue(db, businessId, { people: warmUp, from: 0 })
    await sweep(db, businessId, { sequenceIds, people: warmUp, moment: firstMoment })
    tell(`${number(inside)} inside ${count} sequences`)
    const quiet = await callsOf(testbed, place, sleep(neighbourSeconds * 1000))
    const moment = await fallDue(db, businessId, { people: due - warmUp, from: warmUp })
    const readBefore = await rowsRead(db)
    const sweeping = sweep(db, businessId, { sequenceIds, people: due - warmUp, moment })
    const busy = await callsOf(testbed, place, sweeping)
    const seconds = await sweeping
    const rows = ((await rowsRead(db)) - readBefore) / (due - warmUp)
    const rate = (due - warmUp) / seconds
    tell(`${number(due - warmUp)} due: ${number(seconds)} s`)
    const told = await burstOf(testbed, place, tell)
    return [
      atLeast('rate of mails of sequences against the campaign', rate / (due / campaign), 0.7),
      { name: 'mails of sequences a second', value: number(rate) },
      { name: 'mails of the campaign a second', value: number(due / campaign) },
      atMost('rows of entries read, for each person who was due', rows, 8),
      atMost(
        'another business, p99 of a call while they are sent, against quiet',
        quantile(busy, 0.99) / quantile(quiet, 0.99),
        3,
      ),
      {
        name: 'the same, p50 and p99; quiet; while the campaign is sent',
        value: `${ms(busy)}; ${ms(quiet)}; ${ms(besideCampaign)}`,
      },
      { name: 'events told a second, in the burst', value: number(told.rate) },
      atMost('events of the burst that let nobody in', told.lost, 0),
      {
        name: 'from the last answer until the last has entered',
        value: `${number(told.seconds)} s`,
      },
    ]
  } finally {
    await testbed.close()
    await sink.stop()
  }
}

const ms = (values: readonly number[]) =>
  [0.5, 0.99].map((share) => `${number(quantile(values, share))} ms`).join(', ')

/** The seconds of a campaign to everybody, from its start until it is complete. */
async function campaignSeconds(db: Database, businessId: Id<'business'>): Promise<number> {
  const campaignId = await draftFor(db, businessId, campaignWords)
  await sendOff({ db, businessId, campaignId })
  for (;;) {
    await sleep(200)
    const { seconds } = await db.one<{ seconds: number | null }>(sql`
      select extract(epoch from completed_at - deployed_at)::float as seconds from campaigns
      where business_id = ${businessId} and id = ${campaignId}
    `)
    if (seconds !== null) return seconds
  }
}

async function startAll(
  testbed: BenchTestbed,
  tokens: readonly string[],
): Promise<Id<'sequence'>[]> {
  const [token = ''] = tokens
  const mail = await mailStep(testbed, token)
  const ids: Id<'sequence'>[] = []
  for (let n = 0; n < count; n++) {
    const steps = [{ wait: '1 day' }, mail, { wait: '3 days' }, mail]
    const enter = { on: 'own_event', event: `enters_${n}` }
    ids.push(await startSequence(testbed, token, { name: `Sequence ${n}`, enter, steps }))
  }
  return ids
}

/** Everybody waits for the first mail of a sequence, for a long time. */
async function letWait(
  db: Database,
  businessId: Id<'business'>,
  sequenceIds: readonly Id<'sequence'>[],
): Promise<void> {
  await db.run(sql`
    insert into sequence_entries (business_id, sequence_id, id, contact_id, version, cause, state,
      step, due_at, sends_next, event, entered_at, stepped_at)
    select ${businessId}, (${sequenceIds}::uuid[])[1 + n % ${count}::int], uuidv7(), id, 1, 'bench', 'active',
      2, now() + interval '20 days' + n * interval '1 second', true, '{}',
      now() - interval '1 day', now() - interval '1 day'
    from (
      select id, row_number() over (order by id)::int - 1 as n from contacts
      where business_id = ${businessId}
    ) as person
  `)
}

interface Falling {
  people: number
  /** The first of them, in the order of their ids. */
  from: number
}

/** So many are due from this moment on; nobody is told before the sweep. */
async function fallDue(
  db: Database,
  businessId: Id<'business'>,
  { people, from }: Falling,
): Promise<Date> {
  const moment = new Date()
  await db.run(sql`
    update sequence_entries set due_at = ${moment}
    where business_id = ${businessId} and contact_id in (
      select id from contacts where business_id = ${businessId}
      order by id limit ${people} offset ${from}
    )
  `)
  await db.run(sql`vacuum analyze sequence_entries`)
  return moment
}

interface Sweeping {
  sequenceIds: readonly Id<'sequence'>[]
  people: number
  /** When they were due. */
  moment: Date
}

/** The seconds from the call of the sequences until all mails were accepted. */
async function sweep(
  db: Database,
  businessId: Id<'business'>,
  { sequenceIds, people, moment }: Sweeping,
): Promise<number> {
  const began = new Date()
  for (const sequenceId of sequenceIds) {
    await db.tx((tx) => wakeAt(tx, { businessId, sequenceId }, { at: began, now: began }))
  }
  for (;;) {
    await sleep(1_000)
    // Reads one row of each at most, since rows are counted.
    const { isDue } = await db.one<{ isDue: boolean }>(sql`
      select exists (
        select from unnest(${sequenceIds}::uuid[]) as sequence (id)
        where (
          select min(due_at) from sequence_entries
          where business_id = ${businessId} and sequence_id = sequence.id and state = 'active'
        ) <= ${moment}
      ) as "isDue"
    `)
    if (isDue) continue
    const { n, ended, last } = await db.one<{ n: number; ended: number; last: Date | null }>(sql`
      select count(*)::int as n, count(*) filter (where state = 'accepted')::int as ended,
        max(updated_at) as last
      from messages where business_id = ${businessId} and created_at >= ${began}
    `)
    if (n === people && ended === n && last) return (last.getTime() - began.getTime()) / 1000
  }
}

/** What the server counted so far: it counts what idle connections did with a delay. */
async function rowsRead(db: Database): Promise<number> {
  await sleep(11_000)
  const { n } = await db.one<{ n: number }>(sql`
    select (seq_tup_read + idx_tup_fetch)::float as n from pg_stat_user_tables
    where relname = 'sequence_entries'
  `)
  return n
}

const everyMs = 50

/** The milliseconds of calls of another business, at fixed times, until the work is done. */
async function callsOf(
  testbed: BenchTestbed,
  { otherTokens }: SequencesPlace,
  work: Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  const all: Promise<void>[] = []
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  const one = async (n: number) => {
    const token = otherTokens[n % otherTokens.length] ?? ''
    const began = performance.now()
    await callTool(testbed, token, 'contact.upsert', { email: `other-${n}@example.com` })
    times.push(performance.now() - began)
  }
  const began = performance.now()
  for (let n = 0; !isOver; n++) {
    await sleep(Math.max(0, began + n * everyMs - performance.now()))
    all.push(one(n))
  }
  await work
  await Promise.all(all)
  return times
}

const perCall = 1_000

/** Events that each let somebody in, told as fast as asked for, and how many of them did. */
async function burstOf(testbed: BenchTestbed, { businessId, tokens }: SequencesPlace, tell: Tell) {
  const { db } = testbed
  const [token = ''] = tokens
  const steps = [{ wait: '1 day' }, await mailOf(testbed, token)]
  const enter = { on: 'own_event', event: 'burst' }
  const sequenceId = await startSequence(testbed, token, { name: 'Burst', enter, steps })
  const wanted = Math.min(burst.events * burst.seconds, inside)
  const people = await db.all<{ email: string }>(sql`
    select email from contacts where business_id = ${businessId} order by id limit ${wanted}
  `)
  const calls = Array.from({ length: Math.ceil(wanted / perCall) }, (_, n) =>
    people.slice(n * perCall, (n + 1) * perCall).map(({ email }) => email),
  )
  const began = performance.now()
  const waiting = calls.entries()
  const client = async () => {
    for (const [n, emails] of waiting) {
      const at = began + ((n * perCall) / burst.events) * 1000
      await sleep(Math.max(0, at - performance.now()))
      await track(testbed, tokens[n % tokens.length] ?? '', { event: 'burst', emails })
    }
  }
  await Promise.all([client(), client()])
  const ended = performance.now()
  const rate = (wanted * 1000) / (ended - began)
  const entered = async () =>
    (
      await db.one<{ n: number }>(sql`
        select count(*)::int as n from sequence_entries
        where business_id = ${businessId} and sequence_id = ${sequenceId}
      `)
    ).n
  let n = await entered()
  for (const end = ended + 300_000; n < wanted && performance.now() < end; n = await entered()) {
    await sleep(100)
  }
  const seconds = (performance.now() - ended) / 1000
  tell(`${number(n)} of ${number(wanted)} entered by the burst`)
  return { rate, lost: wanted - n, seconds }
}

async function mailOf(testbed: BenchTestbed, token: string): Promise<object> {
  const input = { name: 'Short', subject: 'Hello', html: '<p>Hello</p>' }
  const saved = await callTool<{ template_id: string }>(testbed, token, 'template.save', input)
  return { send: { template_id: saved.template_id } }
}
