/** `contact.import`, compared with COPY and one upsert of the same rows. */

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

// Known are the existing contacts. Half of the rows update one, and half create another.
const { rounds, calls: callsPerRound, rows: rowsPerCall, known } = sizes.contactImport

export const contactImport: Bench = {
  name: 'contact-import',
  title: '`contact.import`, rows a second',
  method: `Calls of ${number(rowsPerCall)} rows (email, name and two attributes; half of them new, half changing one of ${number(known)}) one after the other by one client, over HTTP, each row with its event, the event's place in the feed, its usage and, where it changes a contact, a line in the timeline. Beside it psql on the same server and socket, in a transaction for each ${number(rowsPerCall)}: COPY to a temporary table and from it, in one statement, the same rows into tables of the same shape: contacts by an upsert, events with their bodies, the feed, the timeline. For comparison also the upsert of the contacts alone. ${rounds} alternating rounds of ${callsPerRound} calls, the requests and files made before; the ratio is taken within each round, and the median is shown.`,

  async run(tell) {
    const testbed = await openTestbed()
    try {
      const { businessIds, tokens } = await settleWriters(testbed, {
        businesses: 1,
        connections: 1,
      })
      const [businessId] = businessIds
      const [token] = tokens
      if (!businessId || !token) throw new Error('nobody was settled')
      await fill(testbed.db, businessId)
      const place = await placeOf(testbed.dataDir)
      let calls = 0
      const all = await alternate(
        {
          async crier(n) {
            calls += n
            return importing(testbed, token, n)
          },
          copy: (n) => copying(place, n, everyRow(businessId)),
          contacts: (n) => copying(place, n, upsert(businessId)),
        },
        { rounds, seconds: callsPerRound, tell },
      )
      const placed = await eventsPlaced(testbed.db, ['contact.created', 'contact.updated'])
      if (placed !== calls * rowsPerCall) {
        throw new Error(`${calls * rowsPerCall} rows, but ${placed} events`)
      }
      const rate = (name: Contender) => median(all.map((round) => round[name]))
      const share = (of: Contender) => median(all.map((round) => round.crier / round[of]))
      return [
        atLeast('share of COPY and upsert of the same rows', share('copy'), 0.5),
        {
          name: 'share of COPY and upsert of the contacts alone',
          value: number(share('contacts')),
        },
        { name: 'rows imported a second', value: number(rate('crier')) },
        { name: 'the same rows a second by COPY and upsert', value: number(rate('copy')) },
        { name: 'contacts alone a second by COPY and upsert', value: number(rate('contacts')) },
      ]
    } finally {
      await testbed.close()
    }
  },
}

type Contender = 'crier' | 'copy' | 'contacts'

/** The same contacts in both tables. */
async function fill(db: Database, businessId: Id<'business'>): Promise<void> {
  for (const table of ['contacts', 'events', 'event_feed', 'contact_activity']) {
    await rivalTable(db, table)
  }
  await db.run(sql`create sequence rival.positions`)
  await db.run(sql`
    insert into contacts (business_id, id, email, name, attributes, tags, email_consent,
      sms_consent, source, created_at, updated_at)
    select ${businessId}, uuidv7(), 'person-' || n || '@example.com', 'Person ' || n,
      '{"plan": "basic", "visits": 0}', '{}', 'none', 'none', 'api', now(), now()
    from generate_series(0, ${known - 1}::int) as n
  `)
  await db.run(sql`insert into rival.contacts select * from contacts`)
  await db.run(sql`vacuum analyze contacts`)
}

interface Row {
  email: string
  name: string
  attributes: { plan: string; visits: number }
}

let drawn = 0

/** No address occurs twice: COPY's upsert could not handle it. */
function draw(): Row[] {
  const start = Math.floor(Math.random() * known)
  return Array.from({ length: rowsPerCall }, (_, i) => {
    const person = i % 2 === 0 ? (start + i) % known : known + drawn++
    return {
      email: `person-${person}@example.com`,
      name: `Person ${person}`,
      attributes: { plan: 'pro', visits: Math.floor(Math.random() * 1_000_000_000) },
    }
  })
}

async function importing(testbed: BenchTestbed, token: string, calls: number): Promise<number> {
  const bodies = Array.from({ length: calls }, () =>
    callBody('contact.import', { contacts: draw() }),
  )
  const started = performance.now()
  const answers: Buffer[] = []
  for (const body of bodies) answers.push(await sendCall(testbed, token, body))
  const taken = performance.now() - started
  for (const answer of answers) answerOf(answer)
  await feedSettled(testbed.db)
  return (calls * rowsPerCall * 1000) / taken
}

const upsert = (businessId: string) => `
insert into rival.contacts as contact (business_id, id, email, name, attributes, tags,
  email_consent, sms_consent, source, created_at, updated_at)
select '${businessId}', uuidv7(), email, name, attributes, '{}', 'none', 'none', 'import',
  now(), now()
from incoming
on conflict (business_id, email) do update set name = excluded.name,
  attributes = contact.attributes || excluded.attributes, updated_at = excluded.updated_at`

/** The rows that an import writes: contacts, events with their bodies, the feed, the timeline. */
const everyRow = (businessId: string) => `
with saved as (
  ${upsert(businessId)}
  returning *, contact.xmax = 0 as created
), named as (
  select *, uuidv7() as event_id,
    case when created then 'contact.created' else 'contact.updated' end as type
  from saved
), told as (
  insert into rival.events (business_id, id, type, body, created_at)
  select business_id, event_id, type, json_build_object('id', event_id, 'type', type,
    'created_at', now(), 'business_id', business_id, 'data', json_build_object(
      'contact_id', id, 'email', email, 'phone', phone, 'name', name, 'attributes', attributes,
      'tags', tags, 'consent', json_build_object('email', email_consent, 'sms', sms_consent),
      'source', 'import'))::text, now()
  from named
), placed as (
  insert into rival.event_feed (business_id, position, placed_at, event_id, type, created_at)
  select business_id, nextval('rival.positions'), now(), event_id, type, now() from named
)
insert into rival.contact_activity (business_id, contact_id, id, type, details, created_at)
select business_id, id, uuidv7(), type, '{"source": "import", "changed": ["attributes"]}', now()
from named where not created`

const incoming =
  'create temporary table incoming (email text, name text, attributes jsonb) on commit delete rows;'

const copying = (place: Place, calls: number, insert: string) =>
  copyRate(place, {
    incoming,
    columns: 'email, name, attributes',
    insert,
    rowsPerCall,
    files: Array.from({ length: calls }, () => draw().map(csvLine).join('')),
  })

function csvLine({ email, name, attributes }: Row): string {
  return `${email},${name},"${JSON.stringify(attributes).replaceAll('"', '""')}"\n`
}
