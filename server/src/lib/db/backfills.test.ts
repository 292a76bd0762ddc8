/** A migration that fills a large table in batches, beside calls that change the same rows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultsOf } from '../../../../tests/support/migration-rules.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { backfillsUnderWay, hasBackfills, runBackfills } from './backfills.ts'
import { sql } from './db.ts'
import { type Migration, migrate, planMigrations } from './migrate.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const fileOf = (name: string, text: string): Migration => ({ name, text, sha256: text })
const table = (name: string) =>
  fileOf(
    `9990_${name}.sql`,
    `create table ${name} (business_id uuid not null, n int not null, word text,
       primary key (business_id, n));`,
  )
const filling = (name: string, more = '') =>
  fileOf(
    `9991_${name}.sql`,
    `-- in batches of ${name} by business_id, n
-- Why.
update ${name} t set word = 'word ' || t.n || t.word from batch
where t.business_id = batch.business_id and t.n = batch.n and t.word = ''${more};
`,
  )

/** Two businesses with so many rows each. */
async function made(name: string, rows: number): Promise<Migration> {
  const { db, connection } = database
  await migrate(connection, { migrations: [table(name)] })
  const text = `insert into ${name} select (lpad(b::text, 8, '0') || '-0000-7000-8000-000000000000')::uuid,
    n, '' from generate_series(1, 2) b, generate_series(1, ${rows}) n`
  await db.run({ name: '', text, values: [] })
  await db.run({ name: '', text: `analyze ${name}`, values: [] })
  const migration = filling(name)
  assert.deepEqual(faultsOf(migration), [])
  return migration
}

const standing = async (name: string) =>
  database.db.one<{ rows: number; changed: number; ended: boolean }>(sql`
    select rows_done::int as rows, rows_changed::int as changed, ended_at is not null as ended
    from backfills where name = ${name}
  `)

async function fillUntil(migration: Migration, ms?: number): Promise<void> {
  const signal = ms === undefined ? new AbortController().signal : AbortSignal.timeout(ms)
  const deps = { db: database.db, clock: new ManualClock(), log: silentLog }
  await runBackfills({ ...deps, migrations: [migration] }, signal)
}

const count = async (name: string, where: string) => {
  const text = `select count(*)::int as n from ${name} where ${where}`
  return (await database.db.one<{ n: number }>({ name: '', text, values: [] })).n
}

test('many rows are filled beside callers, of whom none waits long, over workers that are stopped', async (t) => {
  const { db, connection } = database
  const rows = 40_000
  const migration = await made('words', rows)
  const [plan] = await planMigrations(db, [migration])
  assert.equal(plan?.runs, 'in batches, by a job of the service')
  assert.deepEqual(plan?.tables, [
    { table: 'words', rows: 2 * rows, work: 'batches', seconds: 9.6 },
  ])
  assert.deepEqual(await migrate(connection, { migrations: [migration] }), [migration.name])
  assert.deepEqual(await planMigrations(db, [migration]), [])
  assert.equal(await hasBackfills(db), true)
  assert.equal(await count('words', "word <> ''"), 0, 'the migration itself changed no row')

  let isOver = false
  const took: number[] = []
  const caller = async () => {
    for (let n = 1; !isOver; n = (n % rows) + 7) {
      const began = performance.now()
      const text = 'update words set word = word where n = $1'
      await db.run({ name: '', text, values: [n] })
      took.push(performance.now() - began)
      await sleep(5)
    }
  }
  const calling = caller()
  // Workers that are stopped in between, and two that run it at once.
  for (let stops = 0; !(await standing(migration.name)).ended; stops++) {
    assert.ok(stops < 500, 'it ends')
    const [progress] = await backfillsUnderWay(db)
    assert.ok(progress && progress.rows <= 2 * rows && progress.ofRows === 2 * rows)
    await Promise.all([fillUntil(migration, 300), fillUntil(migration, 200)])
  }
  isOver = true
  await calling
  assert.deepEqual(await standing(migration.name), {
    rows: 2 * rows,
    changed: 2 * rows,
    ended: true,
  })
  assert.equal(await count('words', `word = 'word ' || n`), 2 * rows, 'each row was filled once')
  assert.deepEqual(await backfillsUnderWay(db), [])
  // A batch of too many rows would hold up most calls; a slow machine holds up a few.
  took.sort((a, b) => a - b)
  const usual = took[Math.floor(took.length / 2)] ?? Number.POSITIVE_INFINITY
  t.diagnostic(`${took.length} calls, the longest ${Math.round(took.at(-1) ?? 0)} ms`)
  assert.ok(took.length > 20, `${took.length} calls`)
  assert.ok(usual < 1_000, `half of the calls took more than ${Math.round(usual)} ms`)
})

test('rows that somebody holds are waited for, and nothing is skipped', async () => {
  const { db, connection } = database
  const migration = await made('held_words', 300)
  await migrate(connection, { migrations: [migration] })
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = db.tx(async (tx) => {
    await tx.run({ name: '', text: 'update held_words set word = word where n = 5', values: [] })
    locked.resolve()
    await release.promise
  })
  // A transaction that fails ends the test too.
  await Promise.race([locked.promise, holding])
  await fillUntil(migration, 1_500)
  assert.equal((await standing(migration.name)).ended, false, 'it gave way')
  release.resolve()
  await holding
  await fillUntil(migration)
  assert.equal(await count('held_words', `word = 'word ' || n`), 600)
})

test('in a new installation nothing is left to do, and an older version leaves it to the newer one', async () => {
  const { db, connection } = database
  const empty = filling('empty_words')
  await migrate(connection, { migrations: [table('empty_words'), empty] })
  assert.equal((await standing(empty.name)).ended, true)
  const newer = await made('newer_words', 10)
  await migrate(connection, { migrations: [newer] })
  const deps = { db, clock: new ManualClock(), log: silentLog }
  await runBackfills(deps, new AbortController().signal)
  assert.deepEqual(await standing(newer.name), { rows: 0, changed: 0, ended: false })
  await fillUntil(newer)
  assert.equal((await standing(newer.name)).ended, true)
})

test('a migration in batches is one update of its table by the whole key', () => {
  const head = '-- in batches of contacts by business_id, id\n'
  for (const text of [
    `${head}update contacts c set a = 1 from batch where c.business_id = batch.business_id;`,
    `${head}delete from contacts c using batch where c.id = batch.id;`,
    `${head}update contacts c set a = 1 from batch where c.business_id = batch.business_id and c.id = batch.id;\nselect 1;`,
    '-- in batches\nupdate contacts set a = 1;',
  ]) {
    assert.equal(faultsOf(fileOf('9999_new.sql', text)).length, 1, text)
  }
})
