import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { newId } from '../text/uuid.ts'
import { ids, sql } from './db.ts'
import { eachPart, partsOf, placeStatement } from './distribution.ts'
import type { Database, Tx } from './types.ts'

const [one, other] = [newId('business'), newId('business')]
const bare = (id: string) => id.replaceAll('-', '')

test('a statement over a set of one business names it beside each comparison', () => {
  const businesses = [one, one]
  const statement = sql`
    select c.id from unnest(${businesses}::uuid[], ${['a', 'b']}::text[]) as asked (business_id, email)
    join contacts c on c.business_id = asked.business_id and c.email = asked.email`
  const { text, values, name } = placeStatement(statement)
  assert.match(
    text,
    /c\.business_id = asked\.business_id and c\.business_id = \$3::uuid and c\.email/,
  )
  assert.deepEqual(values, [businesses, ['a', 'b'], one])
  // It is another prepared statement.
  assert.notEqual(name, statement.name)
  assert.equal(placeStatement(statement).name, name)
})

test('the business is found in each form of a set', () => {
  const binary = placeStatement(sql`
    update contacts c set tags = null from unnest(${ids([one, one])}::uuid[]) as new (business_id)
    where c.business_id = new.business_id`)
  assert.equal(binary.values[1], bare(one))
  const rows = JSON.stringify([{ businessId: one }, { businessId: one }])
  const json = placeStatement(sql`
    update webhooks w set url = row.url from json_to_recordset(${rows}::json) as row (
      "businessId" uuid, url text
    ) where w.business_id = row."businessId"`)
  assert.equal(json.values[1], one)
  const expression = placeStatement(sql`
    with new (business_id, tag) as (
      select * from unnest(${[one]}::uuid[], ${['x']}::text[])
    ) update contact_tags t set uses = 1 from new where t.business_id = new.business_id`)
  assert.equal(expression.values[2], one)
})

test('a set of several businesses, or of none, is left as it is', () => {
  const of = (businesses: string[]) =>
    sql`select from unnest(${businesses}::uuid[]) as asked (business_id)
      join contacts c on c.business_id = asked.business_id`
  for (const businesses of [[one, other], []]) {
    const statement = of(businesses)
    assert.equal(placeStatement(statement), statement)
  }
  const noSet = sql`select from contacts c join forms f on f.business_id = c.business_id
    where c.business_id = ${one}`
  assert.equal(placeStatement(noSet), noSet)
  // A set of other ids says nothing about the business.
  const otherIds = sql`select from unnest(${[other]}::uuid[]) as asked (id)
    join contacts c on c.id = asked.id join forms f on f.business_id = c.business_id`
  assert.equal(placeStatement(otherIds), otherIds)
})

test('a distributed database is asked for the queue of one business alone', () => {
  const statement = sql`
    delete from jobs using unnest(${[one]}::uuid[]) as ended (business_id)
    where (jobs.business_id = ended.business_id or true)`
  assert.match(
    placeStatement(statement).text,
    /where jobs\.business_id = ended\.business_id and jobs\.business_id = \$2::uuid$/,
  )
  const single = sql`select from lanes where (business_id = ${one} or true) and (paused or true)`
  const { text, values, name } = placeStatement(single)
  assert.equal(text, 'select from lanes where business_id = $1 and (paused or true)')
  assert.deepEqual(values, [one])
  assert.notEqual(name, single.name)
})

test('rows are written together on one PostgreSQL, and by business on a distributed database', () => {
  const rows = ['a', 'b', 'a'].map((businessId, n) => ({ businessId, n }))
  const [a, b, last] = rows
  const whole = { isDistributed: () => false } as unknown as Database
  const several = { isDistributed: () => true } as unknown as Database
  const tx = { isDistributed: () => true } as unknown as Tx
  assert.deepEqual(partsOf(whole, rows), [rows])
  for (const db of [several, tx]) assert.deepEqual(partsOf(db, rows), [[a, last], [b]])
  for (const db of [whole, several, tx]) assert.deepEqual(partsOf(db, []), [])
})

test('a part that fails takes nothing from the others, and a few run at once', async () => {
  let running = 0
  let most = 0
  const faults: unknown[] = []
  const work = async (n: number) => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    if (n === 3) throw new Error('its node is away')
    return n * 10
  }
  const answers = await eachPart([1, 2, 3, 4, 5, 6, 7, 8], work, (fault) => faults.push(fault))
  assert.deepEqual(
    new Set(answers.map(({ result }) => result)),
    new Set([10, 20, 40, 50, 60, 70, 80]),
  )
  assert.deepEqual([most, faults.length], [6, 1])
  await assert.rejects(eachPart([3], work), /its node is away/)
  assert.deepEqual(await eachPart([], work), [])
})

test('one PostgreSQL is not taken for a distributed one', async () => {
  const { db, drop } = await testDatabase()
  assert.equal(await db.findNodes(), false)
  assert.equal(db.isDistributed(), false)
  await drop()
})
