import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { openDatabase, sql } from 'crier-server/lib/db/db.ts'
import { schemaText } from 'crier-server/lib/db/schema-text.ts'
import { emptyDatabase, testDatabase } from './support/postgres/database.ts'
import { brokenRules } from './support/schema-rules.ts'

test('every migration keeps the rules that a distributed database needs', async () => {
  const { db, drop } = await testDatabase()
  after(drop)
  const { tables } = await db.one<{ tables: number }>(
    sql`select count(*) as tables from pg_tables where schemaname = 'public'`,
  )
  assert.ok(tables > 15, 'the schema is there')
  assert.deepEqual(await brokenRules(db), [])
})

test('schema.sql matches the result of the migrations', async () => {
  const { db, drop } = await testDatabase()
  after(drop)
  const file = path.join(import.meta.dirname, '../server/schema.sql')
  assert.ok(readFileSync(file, 'utf8').endsWith(await schemaText(db)), 'run npm run generate')
})

test('each schema rule detects a statement that breaks it', async () => {
  const { connection, drop } = await emptyDatabase()
  const db = openDatabase({ connection })
  after(async () => {
    await db.end()
    await drop()
  })
  for (const statement of [
    sql`create table fine (business_id uuid, id uuid, at timestamptz, n int default 0,
        word text default 'x', primary key (business_id, id))`,
    sql`create table pair (business_id uuid, id uuid, primary key (business_id, id))`,
    sql`create table keyless (n int)`,
    sql`create table late (id uuid primary key, business_id uuid, word text,
        unique (business_id, word))`,
    sql`create unique index late_words on late (lower(word))`,
    sql`create table child (business_id uuid, id uuid, other uuid, primary key (business_id, id),
        foreign key (other, business_id) references pair (id, business_id))`,
    sql`create table queue (id uuid primary key, shard smallint)`,
    sql`create table texts (business_id uuid, contact_id text, primary key (business_id))`,
    sql`create table moments (n int primary key, at timestamp, made timestamptz default now(),
        today date default current_date)`,
    sql`create table counted (n bigserial primary key)`,
    sql`create function noop() returns trigger language plpgsql as 'begin return new; end'`,
    sql`create schema elsewhere`,
    sql`create extension pg_trgm`,
    sql`create extension fuzzystrmatch schema elsewhere`,
    sql`create trigger busy before insert on fine for each row execute function noop()`,
  ]) {
    await db.run(statement).catch((error: Error) => assert.fail(`${statement.text}: ${error}`))
  }
  assert.deepEqual(await brokenRules(db), [
    'business_id leads foreign keys between tables of a business: child_other_business_id_fkey',
    'business_id leads the primary key and unique keys of its table: late_pkey',
    'business_id leads the primary key and unique keys of its table: late_words',
    'defaults are constants: ids and moments come from the service: counted.n',
    'defaults are constants: ids and moments come from the service: moments.made',
    'defaults are constants: ids and moments come from the service: moments.today',
    'every table has a primary key: keyless',
    'ids are uuids: texts.contact_id',
    'moments have a time zone: moments.at',
    'shard leads the primary key and unique keys of a queue: queue_pkey',
    'there are no extensions but pg_trgm and btree_gin: fuzzystrmatch',
    'there are no functions or procedures: noop',
    'there are no sequences and no identity columns: counted_n_seq',
    'there are no triggers: busy',
  ])
})
