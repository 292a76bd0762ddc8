/** One filter gives one number: in the count, list, explanation, preview and freeze. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type EvaluationTime, fits } from '../../../../tests/support/audience/oracle.ts'
import { someFilter, somePerson } from '../../../../tests/support/audience/some-filters.ts'
import { someWhen } from '../../../../tests/support/audience/some-times.ts'
import { storePeople, withOwnAddresses } from '../../../../tests/support/audience/store-people.ts'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { compileFilter } from '../../contacts/filters/compile.ts'
import type { Filter } from '../../contacts/filters/filter.ts'
import { countMatching, scanContacts } from '../../contacts/search.ts'
import { countEach } from '../../contacts/segments/explain-queries.ts'
import { splitFilter } from '../../contacts/segments/split-filter.ts'
import { markAddresses } from '../../contacts/suppressions/hash-addresses.ts'
import { recordActivity } from '../../contacts/timeline/activity.ts'
import { refuse } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { insertRecipients } from '../sending/freeze.ts'
import { countAudience } from './audience.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const people = 400
const filter: Filter = {
  and: [
    { or: [{ tag: 'vip' }, { did: 'message.opened', within: '1 day' }] },
    { not: { field: 'attributes.level', op: 'lt', value: 3 } },
    { did_not: 'form.submitted' },
  ],
}

/** Changes one contact after the other, until `isOver`. */
async function write(businessId: Id<'business'>, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const n = Math.floor(Math.random() * people)
    const [saved] = await saveAll(database.db, [
      toSave(businessId, {
        email: `p${n}@example.com`,
        attributes: { level: turn % 6 },
        ...(turn % 2 === 0 ? { tags: ['vip'] } : { removeTags: ['vip'] }),
        consent: { email: { status: 'subscribed', source: 'a test' } },
      }),
    ])
    if (!saved || !('id' in saved)) continue
    const type = turn % 20 === 0 ? 'form.submitted' : 'message.opened'
    const activity = { businessId, contactId: saved.id, type, details: {} }
    await database.db.tx((tx) => recordActivity(tx, [activity], new Date()))
  }
}

interface AudienceAtTime {
  businessId: Id<'business'>
  filter: Filter
  when: EvaluationTime
}

async function numbersIn(
  tx: Tx,
  { businessId, filter, when }: AudienceAtTime,
): Promise<Record<string, number>> {
  const compiling = { businessId, ...when }
  const where = compileFilter(filter, compiling)
  const counted = await countMatching(tx, businessId, { where })
  const others = { search: null, tag: null, emailConsent: null, smsConsent: null }
  const walk = { ...others, where, before: null, downTo: null, limit: people * 2 }
  const listed = (await scanContacts(tx, businessId, walk)).length
  const { conditions, tree } = splitFilter(filter)
  const clauses = conditions.map(({ condition }) => compileFilter(condition, compiling))
  const [explained = -1] = await countEach(tx, businessId, { conditions: clauses, trees: [tree] })
  const range = { after: null, upTo: null }
  const asked = {
    ...compiling,
    channel: 'email' as const,
    topic: null,
    audience: { filter },
    range,
    quota: null,
  }
  const sum = (rows: readonly { count: number }[]) =>
    rows.reduce((all, { count }) => all + count, 0)
  const previewed = sum(await countAudience(tx, asked))
  const ways = { clocks: [], otherwise: null, shares: [{ position: 1, share: 1 }], parts: 1 }
  const campaignId = newId('campaign')
  const upTo = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Id<'contact'>
  const all = { ...asked, ...ways, campaignId, range: { after: null, upTo } }
  const frozen = sum(await insertRecipients(tx, all))
  return { counted, listed, explained, previewed, frozen }
}

test('while contacts change, all counts of an audience agree within one snapshot', async () => {
  const businessId = await newBusiness(database.db)
  const all = Array.from({ length: people }, (_, n) => ({
    email: `p${n}@example.com`,
    tags: n % 2 === 0 ? ['vip'] : [],
    attributes: { level: n % 6 },
  }))
  await saveAll(
    database.db,
    all.map((entry) => toSave(businessId, entry)),
  )
  await markAddresses(database.db, testVault.hmac, businessId)
  let isOver = false
  const writing = [1, 2].map(() => write(businessId, () => isOver))
  const seen = new Set<number>()
  try {
    for (let round = 0; round < 12; round += 1) {
      await database.db.tx(async (tx) => {
        await tx.run(sql`set transaction isolation level repeatable read`)
        const when = { now: new Date(), zone: 'UTC' }
        const numbers = await numbersIn(tx, { businessId, filter, when })
        const { counted = -1 } = numbers
        seen.add(counted)
        const names = Object.keys(numbers)
        assert.deepEqual(numbers, Object.fromEntries(names.map((name) => [name, counted])))
        // The refusal rolls the whole transaction back.
        return refuse('conflict', 'undone')
      })
    }
  } finally {
    isOver = true
    await Promise.all(writing)
  }
  assert.ok(seen.size > 2, 'the writers changed who it fits')
})

test('for random filters the count, list, explanation, preview and freeze agree with the reference implementation', async () => {
  const businessId = await newBusiness(database.db)
  const all = fc.sample(somePerson, { numRuns: 60, seed: 7 }).map(withOwnAddresses)
  await storePeople(database.db, businessId, all)
  await markAddresses(database.db, testVault.hmac, businessId)
  const asked = fc.record({ filter: someFilter, when: someWhen })
  let toldApart = 0
  await database.db.tx(async (tx) => {
    for (const { filter, when } of fc.sample(asked, { numRuns: 40, seed: 3 })) {
      const expected = all.filter((person) => fits(filter, person, when)).length
      if (expected > 0 && expected < all.length) toldApart += 1
      const numbers = await numbersIn(tx, { businessId, filter, when })
      const same = Object.keys(numbers).map((name) => [name, expected])
      assert.deepEqual(numbers, Object.fromEntries(same), JSON.stringify({ filter, when }))
    }
    return refuse('conflict', 'undone')
  })
  assert.ok(toldApart > 12)
})
