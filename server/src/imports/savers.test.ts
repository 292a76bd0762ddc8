/** Both ways to save the chunks of a file leave the same. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { contactsCounted } from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { sql } from '../lib/db/db.ts'
import type { BeginNext, Database } from '../lib/db/types.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** A series whose transactions from the nth on fail: an assumption of them is wrong. */
function failingFrom(db: Database, nth: number): Database {
  let begun = 0
  return {
    ...db,
    series: (body) =>
      db.series((begin) => {
        const next: BeginNext = (work) =>
          begin(async (tx) => {
            const result = await work(tx)
            if (++begun >= nth) await tx.pipelined.run(sql`select 1 / 0`)
            return result
          })
        return body(next)
      }),
  }
}

async function deskOn(db: Database, use: (desk: ImportDesk) => Promise<void>): Promise<void> {
  const desk = await importDesk({ db, clock: new ManualClock() })
  try {
    await use(desk)
  } finally {
    await desk.close()
  }
}

const counted = (businessId: string) =>
  database.db.one<{ contacts: number; used: number; events: number }>(sql`
    select
      (select count(*)::int from contacts where business_id = ${businessId}) as contacts,
      (select amount::int from usage_standing
        where business_id = ${businessId} and metric = 'contacts') as used,
      (select count(*)::int from events
        where business_id = ${businessId} and type = 'contact.created') as events
  `)

/** Long rows, so that the file has several chunks of some forty each. */
const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => `p${n}@example.com,${'x'.repeat(1_500)}`)
const fileOf = (rows: readonly string[]) => ['email,attributes.note', ...rows].join('\n')

for (const nth of [1, 2, 4, 99]) {
  test(`an import whose chunk ${nth} met a wrong assumption saves every row once`, async () => {
    const id = await newBusiness(database.db, 'growth')
    await deskOn(failingFrom(database.db, nth), async (desk) => {
      const done = await desk.in(id).take(fileOf(lines(300)))
      assert.equal(done.state, 'done')
      assert.deepEqual([done.result?.['created'], done.result?.['refused']], [300, 0])
    })
    assert.deepEqual(await counted(id), { contacts: 300, used: 300, events: 300 })
  })
}

for (const [name, nth] of [
  ['swiftly', 99],
  ['carefully', 1],
] as const) {
  test(`the limit of contacts holds in an import that is saved ${name}, step by step`, async () => {
    const id = await newBusiness(database.db, 'free')
    await database.db.run(
      sql`insert into usage_standing (business_id, metric, amount) values (${id}, 'contacts', 380)`,
    )
    await deskOn(failingFrom(database.db, nth), async (desk) => {
      // Short rows: one chunk of three steps, of which the second one reaches the limit.
      const rows = Array.from({ length: 230 }, (_, n) => `p${n}@example.com,short`)
      const done = await desk.in(id).take(fileOf(rows))
      assert.deepEqual([done.result?.['created'], done.result?.['refused']], [120, 110])
    })
    assert.deepEqual(await counted(id), { contacts: 120, used: 500, events: 120 })
  })
}

test('an outage ends the turn, and what was committed before it is not saved again', async () => {
  const id = await newBusiness(database.db, 'growth')
  let isAway = true
  const away: Database = {
    ...database.db,
    series: (body) =>
      database.db.series((begin) => {
        let begun = 0
        return body((work) => {
          if (isAway && ++begun === 3) throw Object.assign(new Error('away'), { code: '57P01' })
          return begin(work)
        })
      }),
  }
  await deskOn(away, async (desk) => {
    const business = desk.in(id)
    const { import_id } = await business.bring(fileOf(lines(300)))
    await business.confirm(import_id)
    await assert.rejects(business.run('run', import_id), { code: '57P01' })
    const before = await contactsCounted(database.db, id)
    assert.ok(before > 0 && before < 300, `${before} contacts`)
    isAway = false
    await business.run('run', import_id)
    const done = await business.get(import_id)
    assert.deepEqual([done.state, done.result?.['created']], ['done', 300])
  })
  assert.deepEqual(await counted(id), { contacts: 300, used: 300, events: 300 })
})
