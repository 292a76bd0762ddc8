/** `contact.track`, compared with COPY of the same rows. */
import type { Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { atLeast, type Bench, median, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { answerOf, callBody, sendCall } from './support/call-tool.ts'
import { copyRate } from './support/copy-rate.ts'
import { type Place, placeOf } from './support/place.ts'
import { rivalTable } from './support/rival-table.ts'
import { alternate } from './support/rounds.ts'
import { eventsPlaced, feedSettled } from './support/settled.ts'
import { settleWriters } from './support/writers.ts'

const { rounds, calls: callsPerRound, rows: rowsPerCall, known } = sizes.contactTrack

export const contactTrack: Bench = {
  name: 'contact-track',
  title: '`contact.track`, events a second',
  method: `Calls of ${number(rowsPerCall)} events (an order with its id, value, currency and a property) of ${number(known)} contacts by email, one call after the other by one client, over HTTP, each event taken once, with its place in the feed. Beside it psql on the same server and socket, in a transaction for each ${number(rowsPerCall)}: COPY to a temporary table and from it, in one statement that finds the contacts, the same rows into tables of the same shape: own events, events with their bodies, the feed. ${rounds} alternating rounds of ${callsPerRound} calls (${number(rounds * callsPerRound * rowsPerCall)} events), the requests and files made before; the ratio is taken within each round, and the median is shown.`,

  async run(tell) {
    const testbed = await openTestbed()
    try {
      const { businessIds, tokens } = await settleWriters(testbed, {
        businesses: 1,
        connections: 2,
      })
      const [businessId] = businessIds
      if (!businessId) throw new Error('nobody was settled')
      await fill(testbed.db, businessId)
      const place = await placeOf(testbed.dataDir)
      let calls = 0
      const all = await alternate(
        {
          async crier(n) {
            calls += n
            return tracking(testbed, tokens, n)
          },
          copy: (n) => copying(place, businessId, n),
        },
        { rounds, seconds: callsPerRound, tell },
      )
      const placed = await eventsPlaced(testbed.db, ['contact.event'])
      const { n } = await testbed.db.one<{ n: number }>(sql`select count(*) as n from own_events`)
      if (placed !== calls * rowsPerCall || n !== placed) {
        throw new Error(`${calls * rowsPerCall} told, ${n} kept, ${placed} in the feed`)
      }
      const rate = (name: 'crier' | 'copy') => median(all.map((round) => round[name]))
      return [
        atLeast(
          'share of COPY of the same rows',
          median(all.map((round) => round.crier / round.copy)),
          0.5,
        ),
        { name: 'events told a second', value: number(rate('crier')) },
        { name: 'the same rows a second by COPY', value: number(rate('copy')) },
      ]
    } finally {
      await testbed.close()
    }
  },
}

async function fill(db: Database, businessId: Id<'business'>): Promise<void> {
  for (const table of ['own_events', 'events', 'event_feed']) await rivalTable(db, table)
  await db.run(sql`create sequence rival.positions`)
  await db.run(sql`
    insert into contacts (business_id, id, email, attributes, tags, email_consent, sms_consent,
      source, created_at, updated_at)
    select ${businessId}, uuidv7(), 'person-' || n || '@example.com', '{}', '{}', 'none', 'none',
      'api', now(), now()
    from generate_series(0, ${known - 1}::int) as n
  `)
  await db.run(sql`vacuum analyze contacts`)
}

let drawn = 0

function draw() {
  return Array.from({ length: rowsPerCall }, () => {
    drawn += 1
    return {
      email: `person-${Math.floor(Math.random() * known)}@example.com`,
      id: `A-${drawn}`,
      value: drawn % 500,
    }
  })
}

async function tracking(
  testbed: BenchTestbed,
  tokens: readonly string[],
  calls: number,
): Promise<number> {
  const bodies = Array.from({ length: calls }, () =>
    callBody('contact.track', {
      events: draw().map(({ email, id, value }) => ({
        contact: { email },
        event: 'order',
        id,
        value,
        currency: 'EUR',
        properties: { item: 'mat' },
      })),
    }),
  )
  const answers: Buffer[] = []
  const started = performance.now()
  for (const [i, body] of bodies.entries()) {
    answers.push(await sendCall(testbed, tokens[i % tokens.length] ?? '', body))
  }
  const taken = performance.now() - started
  for (const answer of answers) {
    const { tracked } = answerOf<{ tracked: number }>(answer)
    if (tracked !== rowsPerCall) throw new Error(`${tracked} of ${rowsPerCall} were taken`)
  }
  await feedSettled(testbed.db)
  return (calls * rowsPerCall * 1000) / taken
}

const everyRow = (businessId: string) => `
with told as (
  insert into rival.own_events (business_id, key, id, contact_id, name, happened_at, value,
    currency, properties, created_at)
  select '${businessId}', sha256(('id ' || i.id)::bytea), uuidv7(), c.id, 'order', now(), i.value,
    'EUR', '{"item": "mat"}', now()
  from incoming i join contacts c on c.business_id = '${businessId}' and c.email = i.email
  on conflict do nothing
  returning *
), named as (
  select *, uuidv7() as event_id from told
), written as (
  insert into rival.events (business_id, id, type, body, created_at)
  select business_id, event_id, 'contact.event', json_build_object('id', event_id,
    'type', 'contact.event', 'created_at', now(), 'business_id', business_id,
    'data', json_build_object('contact_id', contact_id, 'event', name, 'event_id', id,
      'at', happened_at, 'value', value, 'currency', currency, 'properties', properties))::text,
    now()
  from named
)
insert into rival.event_feed (business_id, position, placed_at, event_id, type, created_at)
select business_id, nextval('rival.positions'), now(), event_id, 'contact.event', now() from named`

const copying = (place: Place, businessId: string, calls: number) =>
  copyRate(place, {
    incoming:
      'create temporary table incoming (email text, id text, value numeric) on commit delete rows;',
    columns: 'email, id, value',
    insert: everyRow(businessId),
    rowsPerCall,
    files: Array.from({ length: calls }, () =>
      draw()
        .map(({ email, id, value }) => `${email},${id},${value}\n`)
        .join(''),
    ),
  })
