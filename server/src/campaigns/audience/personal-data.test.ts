import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import type { Filter } from '../../contacts/filters/filter.ts'
import { contactTag } from '../../contacts/tagging/tag.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { everyPersonalData } from '../../worker.ts'
import { insertCampaign } from '../campaign.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('an erasure removes the address from filters of campaigns and taggings in one business only', async () => {
  const { db } = database
  const address = 'leo@example.com'
  const filter: Filter = { field: 'email', op: 'is', value: address }
  const [here, elsewhere] = [await newBusiness(db), await newBusiness(db)]
  for (const id of [here, elsewhere]) {
    await callerIn({ db, clock }, id).get(contactTag, { filter, add: ['x'] })
    const campaign = {
      id: newId('campaign'),
      name: 'Spring',
      channel: 'email',
      audience: { filter },
      topic: null,
      audienceWish: null,
      writtenBy: 'caller',
      now: clock.now(),
    } as const
    await db.tx((tx) => insertCampaign(tx, id, campaign))
  }
  await db.run(sql`update campaigns set plan = json_build_object('filter', audience -> 'filter')`)
  const naming = (id: string) =>
    db.one<{ taggings: number; campaigns: number; plans: number }>(sql`
      select
        (select count(*)::int from taggings
          where business_id = ${id} and filter::text like ${`%${address}%`}) as taggings,
        (select count(*)::int from campaigns
          where business_id = ${id} and audience::text like ${`%${address}%`}) as campaigns,
        (select count(*)::int from campaigns
          where business_id = ${id} and plan::text like ${`%${address}%`}) as plans
    `)
  const all = { taggings: 1, campaigns: 1, plans: 1 }
  assert.deepEqual(await naming(here), all)
  const erased = { businessId: here, contactIds: [], addresses: [address] }
  for (const one of everyPersonalData) {
    await db.tx((tx) => one.forget(tx, erased, clock.now()))
  }
  assert.deepEqual(await naming(here), { taggings: 0, campaigns: 0, plans: 0 })
  assert.deepEqual(await naming(elsewhere), all)
})
