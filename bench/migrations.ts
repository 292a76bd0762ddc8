/** Each kind of migration on a large table, beside calls that read and write it. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../server/src/core/ids.ts'
import { runBackfills } from '../server/src/lib/db/backfills.ts'
import { sql } from '../server/src/lib/db/db.ts'
import { type Migration, migrate } from '../server/src/lib/db/migrate.ts'
import type { Database } from '../server/src/lib/db/types.ts'
import { openPostgres, type Postgres } from '../server/src/lib/postgres/open.ts'
import { systemClock } from '../server/src/lib/time/clock.ts'
import { faultsOf } from '../tests/support/migration-rules.ts'
import { silentLog } from '../tests/support/silent-log.ts'
import { atMost, type Bench, type Figure, number } from './support/bench.ts'
import { type Callers, type Calls, callsBeside, openCallers } from './support/beside.ts'
import { sizes } from './support/sizes.ts'
import { openTestbed } from './support/testbed.ts'

const { rows, callers, longMs, batchesMs } = sizes.migrations

const outside = '-- outside of a transaction\n'
/** The kinds of docs/decisions/0052-migrations-at-size.md. */
const kinds: readonly { kind: string; text: string }[] = [
  {
    kind: 'a column with a default',
    text: "alter table contacts add column bench_word text not null default 'x';",
  },
  {
    kind: 'a constraint, not valid',
    text: "alter table contacts add constraint bench_words check (bench_word <> '') not valid;",
  },
  {
    kind: 'validating it',
    text: `${outside}alter table contacts validate constraint bench_words;`,
  },
  {
    kind: 'an index',
    text: `${outside}create index concurrently if not exists contacts_bench on contacts (business_id, name, id);`,
  },
  {
    kind: 'dropping it',
    text: `${outside}drop index concurrently if exists contacts_bench;`,
  },
]

export const migrations: Bench = {
  name: 'migrations',
  title: 'Migrations beside calls',
  method: `A table of ${number(rows)} contacts, which ${callers} callers change and read over HTTP one call after the other, while \`migrate\` applies one migration of each kind; and a column that is added while a report reads the table for ${longMs / 1_000} s. The longest call is that of any caller meanwhile.`,

  async run(tell) {
    const testbed = await openTestbed()
    const { dataDir } = testbed
    const postgres = await openPostgres({ dataDir, databaseUrl: undefined, log: silentLog })
    const { connection } = postgres
    try {
      const load = await openCallers(testbed, { count: callers, contacts: rows })
      const [businessId] = load.businesses
      if (!businessId) throw new Error('no business')
      tell(`making ${number(rows)} contacts`)
      await fill(testbed.db, businessId)
      const figures: Figure[] = []
      await callsBeside(load, () => sleep(1_000))
      const quiet = await callsBeside(load, () => sleep(longMs / 4))
      figures.push({
        name: 'longest call without a migration',
        value: `${number(quiet.longest)} ms`,
      })
      for (const [i, { kind, text }] of kinds.entries()) {
        const migration = migrationOf(i, text)
        const { seconds, longest, calls } = await callsBeside(load, () =>
          apply({ migration, connection }),
        )
        tell(`${kind}: ${number(seconds)} s, ${calls} calls, the longest ${number(longest)} ms`)
        figures.push(atMost(`longest call beside ${kind}`, longest, 2_000, ' ms'), {
          name: `${kind}: seconds a million rows`,
          value: number((seconds / rows) * 1e6),
        })
      }
      const filling = await besideBackfill(load, connection)
      tell(
        `in batches: ${number(filling.seconds)} s, the longest call ${number(filling.longest)} ms`,
      )
      figures.push(atMost('longest call beside a job in batches', filling.longest, 2_000, ' ms'), {
        name: 'in batches: seconds a million rows',
        value: number((filling.seconds / filling.filled) * 1e6),
      })
      const last = migrationOf(kinds.length + 1, 'alter table contacts add column bench_n int;')
      const { seconds, longest } = await callsBeside(load, () =>
        besideReport(testbed.db, { migration: last, connection }),
      )
      tell(`beside a report: ${number(seconds)} s, the longest call ${number(longest)} ms`)
      figures.push(
        atMost('longest call while a migration waits for a report', longest, 2_000, ' ms'),
      )
      return figures
    } finally {
      await postgres.stop()
      await testbed.close()
    }
  },
}

function migrationOf(i: number, text: string): Migration {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const migration = { name: `90${String(i).padStart(2, '0')}_bench.sql`, text, sha256 }
  const faults = faultsOf(migration)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return migration
}

/** Calls the running service, as `crier migrate` does. */
async function apply({ migration, connection }: Applying): Promise<void> {
  const names = await migrate(connection, { migrations: [migration] })
  if (names.length !== 1) throw new Error(`${migration.name} was not applied`)
}

interface Applying {
  migration: Migration
  connection: Postgres['connection']
}

/** The job of the service would begin within a minute; here it runs in this process at once. */
async function besideBackfill(
  load: Callers,
  connection: Postgres['connection'],
): Promise<Calls & { filled: number }> {
  const { db } = load.testbed
  const text = `-- in batches of contacts by business_id, id
update contacts c set bench_word = 'y' from batch
where c.business_id = batch.business_id and c.id = batch.id and c.bench_word = 'x';
`
  const migration = migrationOf(kinds.length, text)
  await apply({ migration, connection })
  const deps = { db, clock: systemClock, log: silentLog, migrations: [migration] }
  const calls = await callsBeside(load, () => runBackfills(deps, AbortSignal.timeout(batchesMs)))
  const { filled } = await db.one<{ filled: number }>(
    sql`select count(*)::float8 as filled from contacts where bench_word = 'y'`,
  )
  return { ...calls, filled }
}

async function besideReport(db: Database, applying: Applying): Promise<void> {
  const report = db.tx(async (tx) => {
    await tx.all(sql`select count(*) from contacts where name = 'nobody'`)
    await sleep(longMs)
  })
  await sleep(100)
  await apply(applying)
  await report
}

/** Without the other indexes, which are built afterwards: ten million rows would else take a quarter of an hour. */
async function fill(db: Database, businessId: Id<'business'>): Promise<void> {
  const indexes = await db.all<{ name: string; text: string }>(sql`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and c.oid is null
  `)
  const run = (text: string) => db.run({ name: '', text, values: [] })
  for (const { name } of indexes) await run(`drop index ${name}`)
  await db.run(sql`
    insert into contacts (business_id, id, email, name, attributes, tags, email_consent, sms_consent,
      source, created_at, updated_at)
    select ${businessId}, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
      'person-' || n || '@example.com', 'Person ' || n, '{"city": "Lyon", "plan": "pro"}', '{}',
      'subscribed', 'none', 'import', now(), now()
    from generate_series(1, ${rows}::int) as n
  `)
  for (const { text } of indexes) await run(text)
  await db.run(sql`vacuum analyze contacts`)
}
