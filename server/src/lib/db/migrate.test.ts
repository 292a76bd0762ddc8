import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { readMigrationHashes } from '../../../../scripts/generators/migration-hashes.ts'
import { emptyDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { openDatabase, sql } from './db.ts'
import { type Migration, migrate, pendingMigrations, readMigrations } from './migrate.ts'
import type { Database } from './types.ts'

function migration(name: string, text: string): Migration {
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
}
const one = migration('0001_one.sql', 'create table one (n int); insert into one values (1);')
const two = migration('0002_two.sql', 'create table two (n int);')

async function empty() {
  const { connection, drop } = await emptyDatabase()
  const db = openDatabase({ connection })
  after(async () => {
    await db.end()
    await drop()
  })
  return { connection, db }
}

/** A transaction that has read the table, and keeps its lock until `reading` is resolved. */
async function readingOne(db: Database) {
  const [begun, reading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const long = db.tx(async (tx) => {
    await tx.all(sql`select n from one`)
    begun.resolve()
    await reading.promise
  })
  await begun.promise
  return { long, reading }
}

test('each migration is applied once, in order, and the missing ones can be listed', async () => {
  const { connection, db } = await empty()
  assert.deepEqual(await pendingMigrations(db, [one, two]), [one.name, two.name])
  assert.deepEqual(await migrate(connection, { migrations: [one] }), [one.name])
  assert.deepEqual(await pendingMigrations(db, [one, two]), [two.name])
  assert.deepEqual(await migrate(connection, { migrations: [one, two] }), [two.name])
  assert.deepEqual(await migrate(connection, { migrations: [one, two] }), [])
  assert.deepEqual(await db.all(sql`select n from one`), [{ n: 1 }])
})

test('when four nodes migrate at once all succeed, and each migration is applied by one of them', async () => {
  const { connection, db } = await empty()
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(connection)))
  const names = readMigrations().map(({ name }) => name)
  assert.deepEqual(applied.flat().toSorted(), names)
  assert.deepEqual(await pendingMigrations(db), [])
})

test('a migration changed after it was applied is refused, and no further one is applied', async () => {
  const { connection, db } = await empty()
  await migrate(connection, { migrations: [one] })
  const changed = migration(one.name, `${one.text} -- a harmless comment`)
  await assert.rejects(migrate(connection, { migrations: [changed, two] }), {
    name: 'StartError',
    message: /0001_one\.sql was changed after it was applied/,
  })
  assert.deepEqual(await pendingMigrations(db, [one, two]), [two.name])
})

test('a failed migration leaves no changes, and can be corrected', async () => {
  const { connection, db } = await empty()
  const failing = migration(two.name, 'create table two (n int); select 1 / 0;')
  await assert.rejects(migrate(connection, { migrations: [one, failing] }), {
    name: 'StartError',
    message: /0002_two\.sql failed: division by zero/,
  })
  const there = await db.one(sql`select to_regclass('one')::text as one, to_regclass('two') as two`)
  assert.deepEqual(there, { one: 'one', two: null })
  assert.deepEqual(await migrate(connection, { migrations: [one, two] }), [two.name])
})

test('a database of another program, or without the right to create tables, is told in words', async () => {
  const { connection, db } = await empty()
  const { user, database } = connection
  await db.run(sql`create table one (n int)`)
  await assert.rejects(migrate(connection, { migrations: [one, two] }), {
    name: 'StartError',
    message: `The database ${database} has tables of another program (relation "one" already exists). Give Crier a database of its own.`,
  })
  await db.run(sql`drop table schema_migrations`)
  await db.run(sql`create table schema_migrations (version text)`)
  await assert.rejects(migrate(connection, { migrations: [one] }), /tables of another program/)
  await db.run(sql`drop table schema_migrations`)
  await db.run(sql`drop table one`)
  await migrate(connection, { migrations: [one] })
  await db.run(sql`create table two (n int)`)
  await assert.rejects(
    migrate(connection, { migrations: [one, two] }),
    /^StartError: Migration 0002_two\.sql failed/,
    'once it is ours, the file is at fault',
  )
  const fresh = await empty()
  await fresh.db.run(sql`revoke create on schema public from pg_database_owner`)
  await assert.rejects(migrate(fresh.connection, { migrations: [one] }), {
    name: 'StartError',
    message: `The user ${user} may not create tables in the database ${fresh.connection.database}. Make it the owner: alter database ${fresh.connection.database} owner to ${user}.`,
  })
})

const outside = (name: string, ...statements: string[]) =>
  migration(name, `-- outside of a transaction\n${statements.join(';\n')};\n`)

test('an index is built outside of a transaction, by one of several nodes, while rows are written', async () => {
  const { connection, db } = await empty()
  await migrate(connection, { migrations: [one] })
  const index = outside('0002_i.sql', 'create index concurrently if not exists one_n on one (n)')
  // The build waits for this transaction; nobody who writes waits for the build.
  const writing = Promise.withResolvers<void>()
  const older = db.tx(async (tx) => {
    await tx.run(sql`insert into one values (2)`)
    await writing.promise
  })
  const nodes = [1, 2, 3].map(() => migrate(connection, { migrations: [one, index] }))
  await eventually(
    () =>
      db.one<{ builds: number }>(sql`
        select count(*)::int as builds from pg_stat_activity
        where datname = current_database() and query like 'create index concurrently%'
          and wait_event_type = 'Lock'
      `),
    ({ builds }) => builds === 1,
  )
  await db.run(sql`insert into one values (3)`)
  writing.resolve()
  await older
  const applied = await Promise.all(nodes)
  assert.deepEqual(applied.flat(), [index.name])
  const valid = () =>
    db.all(sql`
      select indisvalid as valid from pg_index where indexrelid = to_regclass('one_n')
    `)
  assert.deepEqual(await valid(), [{ valid: true }])
  assert.deepEqual(await pendingMigrations(db, [one, index]), [])
})

test('an index whose building was cut short is built anew, and a node that died is waited for no longer', async () => {
  const { connection, db } = await empty()
  await migrate(connection, { migrations: [one] })
  await db.run(sql`insert into one values (1)`)
  const unique = 'create unique index concurrently if not exists one_n on one (n)'
  const index = outside('0002_i.sql', unique)
  await assert.rejects(migrate(connection, { migrations: [one, index] }), {
    name: 'StartError',
    message: /0002_i\.sql failed: could not create unique index/,
  })
  const { invalid } = await db.one<{ invalid: boolean }>(sql`
    select not indisvalid as invalid from pg_index where indexrelid = to_regclass('one_n')
  `)
  assert.ok(invalid)
  await db.run(sql`delete from one`)
  await db.run(sql`
    update schema_migrations set sha256 = 'a node that died', applied_at = now() + interval '1 s'
    where name = 'lock'
  `)
  assert.deepEqual(await migrate(connection, { migrations: [one, index] }), [index.name])
  assert.deepEqual(await migrate(connection, { migrations: [one, index] }), [])
})

test('a migration waits for a lock in short tries, between which the service works, and says so in the end', async () => {
  const { connection, db } = await empty()
  await migrate(connection, { migrations: [one] })
  const change = migration('0002_c.sql', 'alter table one add column word text')
  const locks = { waitMs: 50, tries: 3, pauseMs: 10 }
  const { long, reading } = await readingOne(db)
  await assert.rejects(migrate(connection, { migrations: [one, change], locks }), {
    name: 'StartError',
    message: /0002_c\.sql did not get its locks in 3 tries.*pg_terminate_backend/,
  })
  assert.deepEqual(await pendingMigrations(db, [one, change]), [change.name])
  const patient = migrate(connection, {
    migrations: [one, change],
    locks: { waitMs: 50, tries: 10_000, pauseMs: 10 },
  })
  await db.all(sql`select n from one`)
  reading.resolve()
  await long
  assert.deepEqual(await patient, [change.name])
})

test('waiting behind another node takes no try away', async () => {
  const { connection, db } = await empty()
  await migrate(connection, { migrations: [one] })
  const change = migration('0002_c.sql', 'alter table one add column word text')
  await db.run(sql`
    update schema_migrations set sha256 = 'another node', applied_at = now() + interval '700 ms'
    where name = 'lock'
  `)
  const { long, reading } = await readingOne(db)
  const locks = { waitMs: 50, tries: 2, pauseMs: 3_000 }
  const began = performance.now()
  try {
    await assert.rejects(migrate(connection, { migrations: [one, change], locks }), /in 2 tries/)
  } finally {
    reading.resolve()
    await long
  }
  assert.ok(performance.now() - began > locks.pauseMs, 'the lock was tried twice')
})

test('a file outside of a transaction whose statements are not clear is not begun', async () => {
  const { connection, db } = await empty()
  const made = 'create index concurrently if not exists one_n on one (n)'
  const index = outside('0002_i.sql', `${made}; -- Why.\n${made}`)
  await assert.rejects(migrate(connection, { migrations: [one, index] }), /within a statement/)
  assert.deepEqual(await pendingMigrations(db, [one, index]), [index.name])
  await migrate(connection, { migrations: [one] })
})

test('a node of an older version runs beside a newer one', async () => {
  const { connection, db } = await empty()
  await migrate(connection, { migrations: [one, two] })
  assert.deepEqual(await migrate(connection, { migrations: [one] }), [])
  assert.deepEqual(await pendingMigrations(db, [one]), [])
})

test('the migrations are numbered without gaps, and a test database has all of them', async () => {
  const names = readMigrations().map(({ name }) => name)
  assert.ok(names.length > 0)
  names.forEach((name, i) => {
    assert.ok(name.startsWith(String(i + 1).padStart(4, '0')), name)
  })
  const { db, drop } = await testDatabase()
  after(drop)
  assert.deepEqual(await pendingMigrations(db), [])
})

test('no migration was edited after it landed, not even in its comments', async () => {
  const recorded = await readMigrationHashes()
  for (const { name, sha256 } of readMigrations()) {
    assert.equal(sha256, recorded.get(name), `${name} was edited: see server/migrations/hashes.txt`)
  }
})

/** The two files as they were before they were edited. */
const formerTexts: Record<string, (text: string) => string> = {
  '0012_campaign_runs.sql': (text) =>
    text.replace('campaigns/results/engagement.ts', 'campaigns/marks.ts'),
  '0032_engagement.sql': (text) => {
    const from = text.indexOf('-- A campaign and a form are one business')
    return (
      text.slice(0, from) + text.slice(text.indexOf('-- What a business tells of its contacts'))
    )
  },
}

test('a database that applied the two edited migrations before is taken over, with the statistics it lacks', async () => {
  const { connection, db } = await empty()
  const now = readMigrations()
  const mended = now.findIndex(({ name }) => name.endsWith('_activity_owners.sql'))
  const former = now.slice(0, mended).map(({ name, text, sha256, earlierSha256 }) => {
    const change = formerTexts[name]
    if (!change) return { name, text, sha256 }
    const before = migration(name, change(text))
    assert.deepEqual(earlierSha256, [before.sha256], name)
    return before
  })
  await migrate(connection, { migrations: former })
  const statistics = sql`
    select stxname as name from pg_statistic_ext where stxname = 'contact_activity_owners'
  `
  assert.deepEqual(await db.all(statistics), [])
  const applied = await migrate(connection)
  assert.deepEqual(
    applied,
    now.slice(mended).map(({ name }) => name),
  )
  assert.deepEqual(await db.all(statistics), [{ name: 'contact_activity_owners' }])
  assert.deepEqual(await pendingMigrations(db), [])
  // Any other text of the same file is still refused.
  const [, ...rest] = now
  const changed = { ...now[0], text: '-- edited', sha256: 'ab'.repeat(32) } as Migration
  await assert.rejects(migrate(connection, { migrations: [changed, ...rest] }), /was changed after/)
})
