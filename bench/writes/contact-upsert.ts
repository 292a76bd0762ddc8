/** `contact.upsert` over HTTP, compared with the bare upsert of the same columns by pgbench. */

import type { Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import type { DrawnSpec } from '../load/drawn-source.ts'
import { type Driver, startDriver } from '../load/drive.ts'
import { atLeast, type Bench, type Figure, median, number } from '../support/bench.ts'
import { endpoint } from '../support/calls.ts'
import { connectionCount } from '../support/population.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { pgbench } from './support/pgbench.ts'
import { placeOf } from './support/place.ts'
import { rivalTable } from './support/rival-table.ts'
import { alternate } from './support/rounds.ts'
import { eventsPlaced, feedSettled } from './support/settled.ts'
import { settleWriters, type Writers } from './support/writers.ts'

// Known are the existing contacts. Half of the calls update one, and half create another.
const { rounds, seconds, known } = sizes.contactUpsert
const businesses = 10

export const contactUpsert: Bench = {
  name: 'contact-upsert',
  title: '`contact.upsert` over HTTP, 64 connections',
  method: `Email, name and two attributes; half of the calls make a contact, half change one of ${number(known)}, in ${businesses} businesses, and each writes its event, its usage and its line in the contact's timeline. Beside it \`pgbench -M prepared\` with 64 clients on the same server, over the same unix socket: the bare upsert of the same columns into a table of the same shape, without events. ${rounds} alternating rounds of ${seconds} s; the ratio is taken within each round, and the median is shown. The events' places in the feed are given meanwhile, and each is counted at the end.`,

  async run(tell) {
    const testbed = await openTestbed()
    try {
      const writers = await settleWriters(testbed, { businesses, connections: connectionCount })
      await fill(testbed.db, writers.businessIds)
      const driver = await startDriver({ port: testbed.service.port, source: calls(writers) })
      try {
        return await measure(testbed, driver, { writers, tell })
      } finally {
        await driver.stop()
      }
    } finally {
      await testbed.close()
    }
  },
}

interface Task {
  writers: Writers
  tell: (line: string) => void
}

async function measure(testbed: BenchTestbed, driver: Driver, task: Task): Promise<Figure[]> {
  const place = await placeOf(testbed.dataDir)
  const script = bareUpsert(task.writers.businessIds)
  const times = { p50: [] as number[], p99: [] as number[], behind: [] as number[] }
  let answered = 0
  const all = await alternate(
    {
      async crier(within) {
        const load = await driver.run({ seconds: within })
        answered += load.requests
        times.p50.push(load.p50)
        times.p99.push(load.p99)
        times.behind.push(await feedSettled(testbed.db))
        return load.perSecond
      },
      pgbench: (within) => pgbench(place, script, within),
    },
    { rounds, seconds, tell: task.tell },
  )
  const placed = await eventsPlaced(testbed.db, ['contact.created', 'contact.updated'])
  if (placed !== answered) throw new Error(`${answered} answers, but ${placed} events`)
  const rate = (name: 'crier' | 'pgbench') => median(all.map((round) => round[name]))
  const ratio = median(all.map((round) => round.crier / round.pgbench))
  return [
    atLeast('share of the bare upsert', ratio, 0.6),
    { name: 'contacts saved a second', value: number(rate('crier')) },
    { name: 'bare upserts a second, pgbench', value: number(rate('pgbench')) },
    {
      name: 'p50, p99 of a call',
      value: `${number(median(times.p50))} ms, ${number(median(times.p99))} ms`,
    },
    {
      name: 'the feed complete after the last answer',
      value: `${number(median(times.behind))} ms`,
    },
  ]
}

/** The same contacts in both tables. */
async function fill(db: Database, businessIds: Id<'business'>[]): Promise<void> {
  await rivalTable(db, 'contacts')
  await db.run(sql`
    insert into contacts (business_id, id, email, name, attributes, tags, email_consent,
      sms_consent, source, created_at, updated_at)
    select id, uuidv7(), 'person-' || n || '@example.com', 'Person ' || n,
      '{"plan": "basic", "visits": 0}', '{}', 'none', 'none', 'api', now(), now()
    from unnest(${businessIds}::uuid[]) as business (id),
      generate_series(0, ${known / businesses - 1}::int) as n
  `)
  await db.run(sql`insert into rival.contacts select * from contacts`)
  await db.run(sql`vacuum analyze contacts`)
}

function calls({ tokens }: Writers): DrawnSpec {
  const args =
    '{"email":"person-%person%@example.com","name":"Person %person%",' +
    '"attributes":{"plan":"pro","visits":%visits%}}'
  return {
    kind: 'drawn',
    path: endpoint,
    tokens,
    template: `{"jsonrpc":"2.0","method":"tools/call","id":1,"params":{"name":"svc.v1.contact.upsert","arguments":${args}}}`,
    draws: { person: { known: known / businesses }, visits: { below: 1_000_000_000 } },
    holds: '"structuredContent":{"contact_id":"con_',
  }
}

/** The same mix of known and new contacts as `known` describes, written for pgbench. */
function bareUpsert(businessIds: Id<'business'>[]): string {
  return `
\\set business random(1, ${businessIds.length})
\\set visits random(0, 999999999)
\\set half random(0, 1)
\\if :half = 0
\\set person random(0, ${known / businesses - 1})
\\else
\\set person random(1000000000, 1000000000000000)
\\endif
insert into rival.contacts as contact (business_id, id, email, name, attributes, tags,
  email_consent, sms_consent, source, created_at, updated_at)
values ((array['${businessIds.join("','")}']::uuid[])[:business], uuidv7(),
  'person-' || :person || '@example.com', 'Person ' || :person,
  ('{"plan": "pro", "visits": ' || :visits || '}')::jsonb, '{}', 'none', 'none', 'api', now(), now())
on conflict (business_id, email) do update set name = excluded.name,
  attributes = contact.attributes || excluded.attributes, updated_at = excluded.updated_at;
`
}
