import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { newId } from '../text/uuid.ts'
import { sql } from './db.ts'
import { placeStatement } from './distribution.ts'
import { insertedFor, routeInserts, routeInsertsOfOne } from './routed-insert.ts'
import type { Sql } from './types.ts'

const home = (value: string) =>
  `(select business_id from retention_runs where business_id = ${value} union select ${value}) as home (home_id) cross join `
const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const routed = (text: string, value = '$9') => inOneLine(routeInserts(text, value))

test('an insert of a set takes its business from a table of the node', () => {
  assert.equal(
    routed(`
      insert into events (business_id, id, created_at)
      select business_id, id, extract(epoch from at) is distinct from 1
      from unnest($1::uuid[], $2::uuid[]) as row (business_id, id) order by business_id, id
      on conflict (business_id, id) do nothing returning id`),
    'insert into events (business_id, id, created_at) select home.home_id, id, extract(epoch from at) is distinct from 1 ' +
      `from ${home('$9')}unnest($1::uuid[], $2::uuid[]) as row (business_id, id) order by home.home_id, id ` +
      'on conflict (business_id, id) do nothing returning id',
  )
})

test('each way to name the business in the select is replaced', () => {
  const begin = 'insert into events as e (business_id, id) select'
  const set = 'unnest($1::uuid[], $2::text[])'
  const ways: [string, string][] = [
    [`new.business_id, id from ${set} as new`, `home.home_id, id from ${home('$9')}${set} as new`],
    [
      `distinct on (business_id, id) business_id, id from ${set} as new (business_id, id) order by business_id, id`,
      `distinct on (business_id, id) home.home_id, id from ${home('$9')}${set} as new (business_id, id) order by business_id, id`,
    ],
    [
      `"businessId", id from json_to_recordset($1::json) as row ("businessId" uuid, id uuid)`,
      `home.home_id, id from ${home('$9')}json_to_recordset($1::json) as row ("businessId" uuid, id uuid)`,
    ],
    [
      `business_id, sum(n) from (select 'a)' from x) new group by business_id, id`,
      `home.home_id, sum(n) from ${home('$9')}(select 'a)' from x) new group by home.home_id, id`,
    ],
    // The columns of a function have no names, so they get some.
    [
      `*, $3 from unnest($1::uuid[], coalesce($2, $3)::text[])`,
      `home.home_id, given.c2, $3 from ${home('$9')}unnest($1::uuid[], coalesce($2, $3)::text[]) as given (c1, c2)`,
    ],
  ]
  for (const [select, expected] of ways) {
    assert.equal(routed(`${begin} ${select}`), `${begin} ${expected}`)
  }
})

test('an insert behind expressions becomes the last of them', () => {
  const before = 'with new as (select * from unnest($1::uuid[]) as new (business_id))'
  const insert = 'insert into forms (business_id) select business_id from new'
  const sent = `insert into forms (business_id) select home.home_id from ${home('$9')}new`
  assert.equal(
    routed(`${before} ${insert}`),
    `${before}, routed as (${sent} returning business_id) select * from routed`,
  )
  assert.equal(
    routed(`${before} ${insert} returning id`),
    `${before}, routed as (${sent} returning id) select * from routed`,
  )
  assert.equal(
    routed(`${before}, added as (${insert}) select 1`),
    `${before}, added as (${sent}) select 1`,
  )
})

test('an insert whose business is a parameter takes it from there', () => {
  const text = `insert into forms (business_id, id) select $1, id from unnest($2::uuid[]) as new (id)
    where not exists (select from forms f where f.business_id = $3)`
  assert.deepEqual(insertedFor(text), [1, 3])
  assert.match(
    inOneLine(routeInsertsOfOne(text)),
    /select home\.home_id, id from \(select business_id from retention_runs where business_id = \$1::uuid union select \$1::uuid\) as home \(home_id\) cross join unnest/,
  )
  const [a, b] = [newId('business'), newId('business')]
  const of = (read: string): Sql => ({ name: 'n', text, values: [a, [], read] })
  assert.match(placeStatement(of(a)).text, /home\.home_id/)
  // Rows of another business are on another node.
  assert.equal(placeStatement(of(b)).text, text)
})

test('what is no set of a table on the nodes stays', () => {
  const stays = [
    'insert into sending_stops (business_id, id) select $1, id from unnest($2::uuid[]) as new (id)',
    'insert into forms (business_id, id) values ($1, $2)',
    'insert into node_work (slot, what) select $1, what from unnest($2::text[]) as new (what)',
    'insert into removed_members (business_id, email) select $1, email from users where id = $2',
    'insert into connection_consents (business_id, id) select $1, id from connections where id = $2',
    'insert into topics (business_id, key) select * from others',
  ]
  for (const text of stays) assert.equal(routeInserts(routeInsertsOfOne(text), '$9'), text)
})

test('the other form of a statement writes the same rows', async () => {
  const { db, drop } = await testDatabase()
  await db.run(sql`
    create table things (business_id uuid, id int, words text, at timestamptz,
      primary key (business_id, id))
  `)
  const business = newId('business')
  const now = new Date('2026-12-01T00:00:00Z')
  const businesses = [business, business, business]
  const statements = [
    sql`insert into things (business_id, id, words, at)
      select *, ${now} from unnest(${businesses}::uuid[], ${[1, 2, 3]}::int[], ${['a', 'b', null]}::text[])
      returning id`,
    sql`insert into things (business_id, id, words)
      select business_id, max(id), words
      from unnest(${businesses}::uuid[], ${[1, 2, 3]}::int[], ${['a', 'b', 'b']}::text[])
        as new (business_id, id, words)
      group by business_id, words order by business_id, words
      on conflict (business_id, id) do update set words = excluded.words || ${'!'}::text
      returning id`,
    sql`with new (business_id, id) as (
        select * from unnest(${businesses}::uuid[], ${[4, 5, 6]}::int[])
      ), gone as (delete from things using new where things.business_id = new.business_id and things.id = 4)
      insert into things (business_id, id) select business_id, id from new where id <> 6
      on conflict do nothing returning id`,
    sql`insert into things (business_id, id, at)
      select ${business}, id, ${now} from unnest(${[7, 1]}::int[]) as new (id)
      on conflict do nothing returning id`,
  ]
  // With the business in the table of homes, and without.
  for (const isKnown of [false, true]) {
    if (isKnown) {
      await db.run(sql`alter table retention_runs drop constraint retention_runs_business_id_fkey`)
      await db.run(sql`
        insert into retention_runs (business_id, night, kind) values (${business}, ${now}, 'x')
      `)
    }
    const run = async (formOf: (statement: Sql) => Sql) => {
      await db.run(sql`delete from things`)
      const answers: unknown[] = []
      for (const statement of statements) answers.push(await db.all(formOf(statement)))
      return [answers, await db.all(sql`select * from things order by id`)]
    }
    for (const statement of statements)
      assert.match(placeStatement(statement).text, /home\.home_id/)
    assert.deepEqual(await run(placeStatement), await run((statement) => statement))
  }
  await drop()
})
