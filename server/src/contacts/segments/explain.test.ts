/** Explains why a filter matches a contact. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fits as fitsPerson } from '../../../../tests/support/audience/oracle.ts'
import { someFilter, somePerson } from '../../../../tests/support/audience/some-filters.ts'
import { storePeople, withOwnAddresses } from '../../../../tests/support/audience/store-people.ts'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { contactTrack } from '../own-events/track.ts'
import { recordActivity } from '../timeline/activity.ts'
import { segmentExplain } from './explain.ts'
import { segmentSave } from './save.ts'

const clock = new ManualClock()
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Told {
  fits?: boolean
  count?: number
  conditions: {
    path: string
    alone?: number
    left?: number
    true?: boolean
    evidence?: Record<string, unknown>
  }[]
  near?: { contact_id: string; email: string; conditions: string[] }[]
}

/** Ten people: the first five are vip, the even ones pay, and the last one has unsubscribed. */
async function scene(): Promise<{ caller: Caller; ids: string[]; businessId: Id<'business'> }> {
  const id = await newBusiness(database.db)
  const people = Array.from({ length: 10 }, (_, n) =>
    toSave(id, {
      email: `p${n}@example.com`,
      tags: n < 5 ? ['vip'] : [],
      attributes: { plan: n % 2 === 0 ? 'pro' : 'free' },
      consent: {
        email: { status: n === 9 ? 'unsubscribed' : 'subscribed', source: 'a page' },
      },
    }),
  )
  const saved = await saveAll(database.db, people)
  const ids = saved.map((entry) => {
    assert.ok(!isRefusal(entry))
    return formatId('contact', entry.id)
  })
  return { caller: callerIn({ db: database.db, clock }, id), ids, businessId: id }
}

const filter = {
  and: [
    { tag: 'vip' },
    { or: [{ field: 'attributes.plan', op: 'is', value: 'pro' }, { did: 'order' }] },
    { not: { consent: 'email', is: 'unsubscribed' } },
  ],
}

test('each condition of a filter is counted alone and in order', async () => {
  const { caller, ids } = await scene()
  const order = { contact: { contact_id: ids[1] }, event: 'order', value: 5 }
  await caller.get(contactTrack, { events: [order] })
  const told = await caller.get<Told>(segmentExplain, { filter })
  assert.equal(told.count, 4)
  assert.deepEqual(
    told.conditions.map(({ path, alone, left }) => [path, alone, left]),
    [
      ['filter.and[0]', 5, 5],
      ['filter.and[1].or[0]', 5, 3],
      ['filter.and[1].or[1]', 1, 4],
      ['filter.and[2].not', 1, 4],
    ],
  )
  assert.deepEqual(
    told.near?.map(({ email, conditions }) => [email.slice(0, 2), conditions]),
    [
      ['p8', ['filter.and[0]']],
      ['p6', ['filter.and[0]']],
      ['p3', ['filter.and[1].or[0]', 'filter.and[1].or[1]']],
    ],
  )
})

test('for one contact each condition is explained with its evidence', async () => {
  const { caller, ids } = await scene()
  const order = { contact: { contact_id: ids[3] }, event: 'order', value: 5 }
  await caller.get(contactTrack, { events: [order, order] })
  const at = clock.now().toISOString()
  const told = await caller.get<Told>(segmentExplain, { filter, contact_id: ids[3] })
  assert.equal(told.fits, true)
  assert.deepEqual(
    told.conditions.map((condition) => [condition.true, condition.evidence]),
    [
      [true, { tags: ['vip'] }],
      [false, { value: 'free' }],
      [true, { times: 2, worth: 10, last_at: at }],
      [
        false,
        {
          address: 'p3@example.com',
          consent: 'subscribed',
          source: 'a page',
          said_at: told.conditions[3]?.evidence?.['said_at'],
        },
      ],
    ],
  )
  const out = await caller.get<Told>(segmentExplain, { filter, contact_id: ids[9] })
  assert.deepEqual([out.fits, out.conditions.at(-1)?.true], [false, true])
})

test('the evidence of a message or a form names the last of them', async () => {
  const { caller, ids, businessId } = await scene()
  const [contactId] = ids.map((id) => parseId('contact', id))
  assert.ok(contactId)
  const [first, second] = [newId('message'), newId('message')]
  const submission_id = formatId('submission', newId('submission'))
  const opened = { type: 'message.opened', details: {} }
  const did = [
    { ...opened, subject: { messageId: second, machine: false } },
    { ...opened, subject: { messageId: first, machine: false } },
    { type: 'form.submitted', details: { submission_id } },
  ]
  for (const [n, one] of did.entries()) {
    const at = later(clock.now(), -seconds(n))
    await database.db.tx((tx) => recordActivity(tx, [{ businessId, contactId, ...one }], at))
  }
  const both = { and: [{ did: 'message.opened' }, { did: 'form.submitted' }, { did: 'order' }] }
  const told = await caller.get<Told>(segmentExplain, { filter: both, contact_id: ids[0] })
  const [lastOpen, submitted, ordered] = told.conditions.map(({ evidence }) => evidence)
  assert.equal(lastOpen?.['last_message_id'], formatId('message', second))
  assert.equal(submitted?.['last_submission_id'], submission_id)
  assert.deepEqual(ordered, { times: 0, last_at: null })
})

test('a segment is explained by its id, and a nested segment is one condition', async () => {
  const { caller } = await scene()
  const save = async (name: string, what: object) =>
    (await caller.get<{ segment_id: string }>(segmentSave, { name, filter: what })).segment_id
  const vips = await save('VIPs', { tag: 'vip' })
  const segment_id = await save('Pro', {
    and: [{ segment: vips }, { field: 'attributes.plan', op: 'is', value: 'pro' }],
  })
  const told = await caller.get<Told>(segmentExplain, { segment_id })
  assert.deepEqual([told.count, told.conditions.map(({ alone }) => alone)], [3, [5, 5]])
})

test('an explain call needs exactly one of filter and segment, and a contact of the business', async () => {
  const { caller } = await scene()
  assert.equal((await caller.refused(segmentExplain, {})).details.field, 'segment_id')
  const both = { filter, segment_id: formatId('segment', newId('segment')) }
  assert.equal((await caller.refused(segmentExplain, both)).details.field, 'filter')
  const stranger = await scene()
  const theirs = { filter, contact_id: stranger.ids[0] }
  assert.equal((await caller.refused(segmentExplain, theirs)).code, 'not_found')
})

test('the explained counts and contacts agree with a reference implementation', async () => {
  const businessId: Id<'business'> = await newBusiness(database.db)
  const people = fc.sample(somePerson, { numRuns: 20, seed: 5 }).map(withOwnAddresses)
  await storePeople(database.db, businessId, people)
  const caller = callerIn({ db: database.db, clock }, businessId)
  const when = { now: clock.now(), zone: 'UTC' }
  for (const one of fc.sample(someFilter, { numRuns: 40, seed: 9 })) {
    const expected = people.filter((person) => fitsPerson(one, person, when))
    const told = await caller.get<Told>(segmentExplain, { filter: one })
    assert.equal(told.count, expected.length, JSON.stringify(one))
    assert.equal(told.conditions.at(-1)?.left, expected.length)
    const [person] = people
    const contact_id = formatId('contact', person?.id as Id<'contact'>)
    const single = await caller.get<Told>(segmentExplain, { filter: one, contact_id })
    assert.equal(single.fits, person && expected.includes(person), JSON.stringify(one))
  }
})
