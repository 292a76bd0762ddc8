/** Filters find the same people as a simple program that checks one person after the other. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type EvaluationTime,
  fits,
  type PlainPerson,
} from '../../../../tests/support/audience/oracle.ts'
import { someFilter, somePerson } from '../../../../tests/support/audience/some-filters.ts'
import { someWhen } from '../../../../tests/support/audience/some-times.ts'
import { storePeople, withOwnAddresses } from '../../../../tests/support/audience/store-people.ts'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { fc } from '../../../../tests/support/properties.ts'
import type { Id } from '../../core/ids.ts'
import { plannedAnew, sqlWithin } from '../../lib/db/db.ts'
import type { Sql } from '../../lib/db/types.ts'
import { compileFilter } from './compile.ts'
import type { Filter } from './filter.ts'
import { readFilter } from './read.ts'

let database: TestDatabase
let businessId: Id<'business'>
let people: PlainPerson[]

/** `npm run soak` sets a higher number. */
const filters = Number(process.env['FILTERS'] ?? 2_000)
const perStatement = 20

before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
  people = fc.sample(somePerson, { numRuns: 120, seed: 16 }).map(withOwnAddresses)
  await storePeople(database.db, businessId, people)
  // People of another business must not match.
  const other = await newBusiness(database.db)
  await storePeople(database.db, other, people.slice(0, 20))
})
after(() => database.drop())

interface FilterAtTime {
  filter: Filter
  when: EvaluationTime
}

/** The ids that each filter matches. */
async function found(asked: readonly FilterAtTime[]): Promise<string[][]> {
  const statement = asked
    .map(({ filter, when }, n): Sql => {
      const where = compileFilter(filter, { businessId, ...when })
      return sqlWithin`
        select ${n}::int as n, c.id from contacts c
        where c.business_id = ${businessId} and ${where}
      `
    })
    .reduce((all, sql) => sqlWithin`${all} union all ${sql}`)
  const rows = await database.db.all<{ n: number; id: string }>(plannedAnew(statement))
  const ids = asked.map((): string[] => [])
  for (const { n, id } of rows) ids[n]?.push(id)
  return ids.map((entry) => entry.sort())
}

test('a compiled filter finds the same contacts as the reference implementation', async (t) => {
  const asked = fc.record({ filter: someFilter, when: someWhen })
  let matched = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(asked, { minLength: perStatement, maxLength: perStatement }),
      async (many) => {
        const all = await found(many)
        for (const [n, { filter, when }] of many.entries()) {
          readFilter(filter)
          const expected = people.filter((person) => fits(filter, person, when)).map(({ id }) => id)
          assert.deepEqual(all[n], expected.sort(), JSON.stringify({ filter, when }))
          if (expected.length > 0 && expected.length < people.length) matched += 1
        }
      },
    ),
    { numRuns: Math.ceil(filters / perStatement) },
  )
  t.diagnostic(`${matched} of ${filters} filters told people apart`)
  assert.ok(matched > filters / 2)
})

test('a negated filter matches every contact that the filter does not, including those with missing data', async () => {
  const asked = fc.record({ filter: someFilter, when: someWhen })
  await fc.assert(
    fc.asyncProperty(asked, async ({ filter, when }) => {
      const [yes = [], no = []] = await found([
        { filter, when },
        { filter: { not: filter }, when },
      ])
      assert.deepEqual([...yes, ...no].sort(), people.map(({ id }) => id).sort())
    }),
    { numRuns: 100 },
  )
})
