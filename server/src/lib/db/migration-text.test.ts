import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { faultsOf, firstWithRules, largeTables } from '../../../../tests/support/migration-rules.ts'
import { emptyDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { openDatabase, sql } from './db.ts'
import { effectOf, type Migration, migrate, planMigrations, readMigrations } from './migrate.ts'

const newFile = (text: string, name = '9999_new.sql'): Migration => ({ name, text, sha256: text })
const outside = (...statements: string[]) =>
  newFile(`-- outside of a transaction\n-- Why.\n${statements.join(';\n')};\n`)

test('a new migration changes large tables only in ways that hold nobody up', () => {
  assert.deepEqual(readMigrations().flatMap(faultsOf), [])
})

test('the large tables are tables', async () => {
  const { db, drop } = await testDatabase()
  after(drop)
  const names = await db.all<{ name: string }>(sql`
    select tablename as name from pg_tables where schemaname = 'public'
  `)
  const tables = new Set(names.map(({ name }) => name))
  assert.deepEqual(
    largeTables.filter((table) => !tables.has(table)),
    [],
  )
})

test('what holds nobody up is allowed', () => {
  for (const migration of [
    newFile('create table fine (business_id uuid references contacts (id), n int);'),
    newFile('create table fine (n int);\ncreate index fine_n on fine (n);\nupdate fine set n = 1;'),
    newFile("alter table messages add column word text not null default 'x';"),
    newFile('alter table messages\n  add column a int,\n  add column b boolean default false;'),
    newFile('alter table messages drop column word;'),
    newFile('alter table messages add constraint c check (n > 0) not valid;'),
    newFile('alter table messages set (autovacuum_vacuum_scale_factor = 0.02);'),
    newFile('alter table businesses add column word text;\nupdate businesses set word = name;'),
    outside('create index concurrently if not exists i on messages (business_id, id) where n > 0'),
    outside('drop index concurrently if exists i', 'alter table messages validate constraint c'),
    newFile('update messages set n = 1;', '0001_landed.sql'),
  ]) {
    assert.deepEqual(faultsOf(migration), [], migration.text)
  }
})

test('what holds the service up is forbidden', () => {
  for (const statement of [
    'create index i on messages (n)',
    'create unique index i on only public.messages (n)',
    'update messages set n = 1',
    'delete from messages where n = 1',
    'insert into fresh select id from messages',
    'alter table messages alter column n type bigint',
    'alter table messages alter n set not null',
    'alter table messages add column at timestamptz default now()',
    'alter table messages add column n int unique',
    'alter table messages add column n int references users (id)',
    'alter table messages add column n int generated always as (1) stored',
    'alter table messages add constraint c check (n > 0)',
    'alter table messages add constraint c unique (n)',
    'lock table messages',
    'create index concurrently if not exists i on messages (n)',
    'alter table messages validate constraint c',
    'cluster messages',
  ]) {
    assert.equal(faultsOf(newFile(`${statement};`)).length, 1, statement)
  }
  for (const statement of [
    'create index concurrently i on messages (n)',
    'alter table messages add column n int',
    'update businesses set name = name',
    'create index concurrently if not exists i on messages (n) -- Why.',
    'create index concurrently if not exists i on messages (n); drop index concurrently if exists i',
    'create index concurrently if not exists i on messages (n) where s = $$x$$',
    'create index concurrently if not exists i on messages (n); -- Why.\ndrop index concurrently if exists i',
  ]) {
    assert.equal(faultsOf(outside(statement)).length, 1, statement)
  }
  const two = 'alter table messages add column n int;\nalter table contacts add column n int;'
  assert.match(faultsOf(newFile(two))[0] ?? '', /several large tables in one transaction: messages/)
  assert.equal(
    faultsOf(newFile('update messages set n = 1;', `${firstWithRules}_first.sql`)).length,
    1,
  )
})

test('the costs of statements are told apart', () => {
  const cost = (statement: string) => effectOf(statement)
  assert.deepEqual(cost('create index concurrently if not exists i on messages (n)'), {
    table: 'messages',
    cost: 'index',
  })
  assert.equal(cost('alter table messages validate constraint c')?.cost, 'reading')
  assert.equal(cost('alter table messages add constraint c check (n > 0) not valid')?.cost, 'none')
  assert.equal(cost('alter table messages add constraint c unique (n)')?.cost, 'index')
  assert.equal(cost('alter table messages alter column n type bigint')?.cost, 'writing')
  assert.equal(cost('update only messages set n = 1')?.cost, 'writing')
  assert.equal(cost('create table fresh (n int)'), undefined)
})

test('the plan says what is pending, how it runs, and about how long, and changes nothing', async () => {
  const { connection, drop } = await emptyDatabase()
  const db = openDatabase({ connection })
  after(async () => {
    await db.end()
    await drop()
  })
  const first = newFile('create table messages (n int);', '0001_first.sql')
  const index = outside('create index concurrently if not exists i on messages (n)')
  assert.equal((await planMigrations(db, [first, index])).length, 2, 'of an empty database')
  await migrate(connection, { migrations: [first] })
  await db.run(sql`insert into messages select generate_series(1, 100000)`)
  await db.run(sql`analyze messages`)
  assert.deepEqual(await planMigrations(db, [first, index]), [
    {
      migration: '9999_new.sql',
      runs: 'outside of a transaction',
      statements: 1,
      tables: [{ table: 'messages', rows: 100_000, work: 'index', seconds: 1 }],
      seconds: 1,
    },
  ])
  assert.deepEqual(await migrate(connection, { migrations: [first, index] }), [index.name])
  assert.deepEqual(await planMigrations(db, [first, index]), [])
})
