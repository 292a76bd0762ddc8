import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, reachOf } from '../../../tests/support/businesses/business.ts'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { testSettings as settings } from '../../../tests/support/businesses/domains.ts'
import { callerAs, callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { newGrant, newMember } from '../../../tests/support/clients/grants.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { promptRemovalsPerDay, removalHoldMs, removalJob } from '../accounts/removals/removal.ts'
import { saveStops } from '../accounts/stops/stops.ts'
import { contactErase } from '../contacts/erase.ts'
import { contactMerge } from '../contacts/merge.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import type { Id } from '../core/ids.ts'
import { type Principal, scopes } from '../core/operation.ts'
import { noticeJob } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Job } from '../lib/jobs/job.ts'
import { domainRemove } from '../sender-domains/operations/remove.ts'
import { activity } from './activity.ts'
import { removalCancel, removalComplete, removalJobs, removalList } from './removals.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const deps = { traces: [], domains: { settings } }
const merge = contactMerge(deps)
const complete = removalComplete(deps)

interface HeldRemoval {
  removal_id: string
  due_at: string
}
interface Erased {
  erased: boolean
  held?: HeldRemoval
}
interface Listed {
  removals: { removal_id: string; operation: string; waits_for_person: boolean }[]
}

/** A business, an assistant of its owner, and the owner in the app. */
async function scene() {
  const { db } = database
  const businessId = await newBusiness(db)
  const userId = await newMember(db, { businesses: [businessId] })
  const reach = { scopes: new Set(scopes), businesses: [reachOf(businessId)] }
  const connect = async () => {
    const { connectionId } = await newGrant(db, { businesses: [businessId], userId })
    return { connectionId, caller: callerAs({ db, clock }, { ...reach, connectionId, userId }) }
  }
  const { connectionId, caller: assistant } = await connect()
  const person: Principal = { ...reach, connectionId: null, userId }
  const owner = callerAs({ db, clock }, person)
  const newContact = async (more: object) =>
    (await owner.get<{ contact_id: string }>(contactUpsert, more)).contact_id
  let people = 0
  const erase = async () =>
    assistant.get<Erased>(contactErase, {
      contact_id: await newContact({ email: `p${people++}@example.com` }),
    })
  return { businessId, connectionId, connect, assistant, owner, newContact, erase }
}

const emailsIn = async (businessId: Id<'business'>) =>
  (await contactsOf(database.db, businessId)).map(({ email }) => email)

/** Runs the jobs that are due, as a worker does. */
async function runDue(businessId: Id<'business'>): Promise<number> {
  const { db } = database
  const due = await db.all<{ id: Id<'job'>; payload: Job['payload'] }>(sql`
    select id, payload from jobs
    where kind = ${removalJob} and due_at <= ${clock.now()}
      and payload::jsonb ->> 'business_id' = ${businessId}
  `)
  const kind = removalJobs({ ...deps, db, clock, vault: testVault })[removalJob]
  for (const job of due) await kind?.run(job as Job, AbortSignal.timeout(10_000))
  return due.length
}

test('the sixth person of a day is erased 24 hours later, and not a moment earlier', async () => {
  const { businessId, erase, connect, newContact } = await scene()
  for (let n = 0; n < promptRemovalsPerDay; n++) assert.equal((await erase()).erased, true)
  const sixth = await erase()
  assert.equal(sixth.erased, false)
  assert.equal(sixth.held?.due_at, new Date(clock.now().getTime() + removalHoldMs).toISOString())
  const another = await (await connect()).caller.get<Erased>(contactErase, {
    contact_id: await newContact({ email: 'q@example.com' }),
  })
  assert.equal(another.erased, true, 'each connection is counted by itself')
  clock.forward(removalHoldMs - 1)
  assert.equal(await runDue(businessId), 0)
  assert.deepEqual(await emailsIn(businessId), ['p5@example.com'])
  clock.forward(1)
  assert.equal(await runDue(businessId), 1)
  assert.deepEqual(await emailsIn(businessId), [])
})

test('erasures and merges are summed over 24 hours, those on hold included', async () => {
  const { erase, assistant, newContact } = await scene()
  for (let n = 1; n < promptRemovalsPerDay; n++) await erase()
  const named = {
    contact_id: await newContact({ email: 'a@example.com' }),
    other_contact_id: await newContact({ phone: '+33612345678' }),
  }
  assert.deepEqual(await assistant.get(merge, named), {
    contact_id: named.contact_id,
    left_out: {},
  })
  clock.forward(removalHoldMs - 1)
  for (let n = 0; n < promptRemovalsPerDay; n++) assert.ok((await erase()).held)
  clock.forward(1)
  assert.ok((await erase()).held, 'five wait')
})

test('a merge of different addresses waits, and a person completes it', async () => {
  const { businessId, assistant, owner, newContact } = await scene()
  const named = {
    contact_id: await newContact({ email: 'a@example.com' }),
    other_contact_id: await newContact({ email: 'b@example.com' }),
  }
  const { held } = await assistant.get<{ held: HeldRemoval }>(merge, named)
  const again = await assistant.get<{ held: HeldRemoval }>(merge, named)
  assert.equal(again.held.removal_id, held.removal_id, 'ordered again, it is the same')
  assert.deepEqual(await emailsIn(businessId), ['a@example.com', 'b@example.com'])
  const { removal_id } = held
  assert.deepEqual(await owner.get(complete, { removal_id }), { removal_id, outcome: 'done' })
  assert.deepEqual(await emailsIn(businessId), ['a@example.com'])
  clock.forward(removalHoldMs)
  await runDue(businessId)
  const over = await assistant.refused(removalCancel, { removal_id })
  assert.deepEqual([over.code, over.details.data?.['outcome']], ['conflict', 'done'])
})

test('what waits is listed, stands in the activity of who ordered it, and is cancelled', async () => {
  const { businessId, assistant, owner, newContact } = await scene()
  const named = {
    contact_id: await newContact({ email: 'a@example.com', phone: '+33612345670' }),
    other_contact_id: await newContact({ phone: '+33612345671' }),
  }
  const { held } = await assistant.get<{ held: HeldRemoval }>(merge, named)
  const { removal_id } = held
  const elsewhere = await scene()
  assert.deepEqual((await elsewhere.owner.get<Listed>(removalList)).removals, [])
  assert.equal((await elsewhere.owner.refused(removalCancel, { removal_id })).code, 'not_found')
  for (const caller of [assistant, owner]) {
    const { removals } = await caller.get<Listed>(removalList)
    assert.deepEqual(
      removals.map(({ operation, waits_for_person }) => [operation, waits_for_person]),
      [['contact.merge', false]],
    )
  }
  const { connections } = await assistant.get<{
    connections: { groups: { operation: string; items: { undo: object }[] }[] }[]
  }>(activity)
  const ordered = connections[0]?.groups.find(({ operation }) => operation === 'removal.order')
  assert.deepEqual(ordered?.items[0]?.undo, {
    tool: 'removal.cancel',
    arguments: { removal_id },
  })
  const cancelled = { removal_id, outcome: 'cancelled' }
  assert.deepEqual(await assistant.get(removalCancel, { removal_id }), cancelled)
  assert.deepEqual(await owner.get(removalCancel, { removal_id }), cancelled)
  assert.equal((await owner.refused(complete, { removal_id })).code, 'conflict')
  clock.forward(removalHoldMs)
  await runDue(businessId)
  assert.equal((await emailsIn(businessId)).length, 2)
})

test('what a stopped connection ordered waits until a person decides', async () => {
  const { businessId, connectionId, assistant, owner, newContact } = await scene()
  const named = {
    contact_id: await newContact({ email: 'a@example.com' }),
    other_contact_id: await newContact({ email: 'b@example.com' }),
  }
  const { held } = await assistant.get<{ held: HeldRemoval }>(merge, named)
  const stop = { stoppedId: connectionId, withMessages: false, stoppedBy: null }
  await database.db.tx((tx) => saveStops(tx, businessId, [stop], clock.now()))
  clock.forward(removalHoldMs)
  assert.equal(await runDue(businessId), 1)
  assert.equal((await emailsIn(businessId)).length, 2)
  const { removals } = await owner.get<Listed>(removalList)
  assert.deepEqual(
    removals.map(({ waits_for_person }) => waits_for_person),
    [true],
  )
  await owner.get(complete, { removal_id: held.removal_id })
  assert.equal((await emailsIn(businessId)).length, 1)
})

test('a domain waits, owners are told of it, and API keys are not asked to wait', async () => {
  const { db } = database
  const { businessId, assistant, owner } = await scene()
  const add = (name: string) =>
    db.run(sql`
      insert into domains (business_id, id, name, registrable, status, passes, misses,
        held_elsewhere, next_check_at, report, revision, created_at, updated_at)
      values (${businessId}, gen_random_uuid(), ${name}, ${name}, 'pending', 0, 0, false,
        ${clock.now()}, '{}', 1, ${clock.now()}, ${clock.now()})
    `)
  await add('shop.test')
  const remove = domainRemove({ settings })
  const { removed, held } = await assistant.get<{ removed: boolean; held: HeldRemoval }>(remove, {
    domain: 'Shop.test',
  })
  assert.equal(removed, false)
  const notices = await db.all<{ subject: string }>(sql`
    select payload::jsonb ->> 'subject' as subject from jobs
    where kind = ${noticeJob} and payload::jsonb ->> 'business_id' = ${businessId}
  `)
  assert.deepEqual(notices, [{ subject: 'shop.test' }])
  await owner.get(removalCancel, { removal_id: held.removal_id })
  const key = callerIn({ db, clock }, businessId, { isApiKey: true })
  const done = await key.get<{ removed: boolean; held?: HeldRemoval }>(remove, {
    domain: 'shop.test',
  })
  assert.deepEqual([done.removed, done.held], [true, undefined])
})
