import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, reachOf } from '../../../tests/support/businesses/business.ts'
import { callerAs, testVault } from '../../../tests/support/clients/calls.ts'
import { newGrant, newMember } from '../../../tests/support/clients/grants.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { contactErase } from '../contacts/erase.ts'
import { contactMerge } from '../contacts/merge.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { type Id, parseId } from '../core/ids.ts'
import { type Principal, scopes } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Job, Verdict } from '../lib/jobs/job.ts'
import { days, hours } from '../lib/time/clock.ts'
import {
  proposalCancel,
  proposalDecide,
  proposalGet,
  proposalJobs,
  proposalLimits,
  proposalList,
  proposalPersonalData,
  proposalSave,
  sampleSize,
} from './proposals.ts'
import { messagePropose } from './propose.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Proposed {
  batch_id: string
  waiting: number
  refused: { index: number; code: string }[]
}
interface Listed {
  batches: { batch_id: string; waiting: number; approved: number; sample_ids: string[] }[]
}
interface Emails {
  proposals: {
    proposal_id: string
    email: string | null
    text: string | null
    status: string
    reason: string | null
    message_id: string | null
  }[]
}

/** At ten in the morning of the business, which is in UTC. */
async function scene() {
  const { db } = database
  const clock = new ManualClock('2026-11-20T10:00:00Z')
  const businessId = await newBusiness(db)
  const ownerId = await newMember(db, { businesses: [businessId] })
  const { connectionId } = await newGrant(db, { businesses: [businessId], userId: ownerId })
  const reach = { scopes: new Set(scopes), businesses: [reachOf(businessId)] }
  const callerOf = (principal: Pick<Principal, 'connectionId' | 'userId'>) =>
    callerAs({ db, clock }, { ...reach, ...principal })
  const assistant = callerOf({ connectionId, userId: ownerId })
  const owner = callerOf({ connectionId: null, userId: ownerId })
  const consent = { email: { status: 'subscribed', source: 'a form' } }
  const newContact = async (email: string) =>
    (await owner.get<{ contact_id: string }>(contactUpsert, { email, consent })).contact_id
  const propose = (emails: object[], more: object = {}) =>
    assistant.get<Proposed>(messagePropose, {
      emails: emails.map((email) => ({ subject: 'Hello', text: 'How are you?', ...email })),
      ...more,
    })
  const get = async (batch_id: string) =>
    (await owner.get<Emails>(proposalGet, { batch_id, limit: 500 })).proposals
  const sample = async () => (await owner.get<Listed>(proposalList)).batches[0]?.sample_ids ?? []
  const runJobs = async () => {
    const jobs = await db.all<Job>(sql`
      select id, payload from jobs
      where kind = 'proposal.send' and payload::jsonb ->> 'business_id' = ${businessId}
      order by id
    `)
    const kind = proposalJobs({ db, clock, vault: testVault })['proposal.send']
    const verdicts: (Verdict | undefined)[] = []
    for (const job of jobs) {
      const verdict = await kind?.run(job, AbortSignal.timeout(20_000))
      verdicts.push(verdict ?? undefined)
    }
    return verdicts
  }
  const approveAll = async (batch_id: string) =>
    owner.get(proposalDecide, { batch_id, decision: 'approve', read_ids: await sample() })
  const messages = () =>
    db.all<{ recipient: string; subject: string }>(sql`
      select m.recipient, c.subject from messages m
      join message_contents c on c.business_id = m.business_id and c.message_id = m.id
      where m.business_id = ${businessId} order by m.id
    `)
  return {
    businessId,
    clock,
    callerOf,
    assistant,
    owner,
    newContact,
    propose,
    get,
    sample,
    runJobs,
    approveAll,
    messages,
  }
}

test('a person reads, changes, approves one and refuses another with a reason, which the assistant reads', async () => {
  const { assistant, owner, newContact, propose, get, runJobs, messages } = await scene()
  const contact_id = await newContact('ana@example.com')
  await newContact('ben@example.com')
  const { batch_id, waiting } = await propose([{ contact_id }, { to: 'BEN@example.com' }])
  assert.equal(waiting, 2)
  await runJobs()
  assert.deepEqual(await messages(), [], 'nothing is sent unapproved')
  const [first, second] = await get(batch_id)
  assert.deepEqual([first?.email, first?.text], ['ana@example.com', 'How are you?'])
  const { proposals: seen } = await assistant.get<Emails>(proposalGet, { batch_id })
  assert.deepEqual(
    seen.map(({ email, text }) => [email, text]),
    [
      [null, null],
      [null, null],
    ],
  )
  const proposal_id = first?.proposal_id
  await owner.get(proposalSave, { proposal_id, subject: 'Dear Ana', text: 'Hello!' })
  const approval = { batch_id, decision: 'approve', proposal_ids: [proposal_id] }
  assert.deepEqual(await owner.get(proposalDecide, approval), { batch_id, emails: 1 })
  const refusal = { batch_id, decision: 'refuse', proposal_ids: [second?.proposal_id] }
  assert.equal((await owner.refused(proposalDecide, refusal)).details.field, 'reason')
  await owner.get(proposalDecide, { ...refusal, reason: 'Ben has moved away.' })
  assert.equal((await owner.refused(proposalDecide, approval)).code, 'conflict')
  const late = { proposal_id, subject: 'Too', text: 'late' }
  assert.equal((await owner.refused(proposalSave, late)).code, 'conflict')
  await runJobs()
  await runJobs()
  assert.deepEqual(await messages(), [{ recipient: 'ana@example.com', subject: 'Dear Ana' }])
  const { proposals } = await assistant.get<Emails>(proposalGet, { batch_id })
  assert.deepEqual(
    proposals.map(({ status, reason }) => [status, reason]),
    [
      ['sent', null],
      ['refused', 'Ben has moved away.'],
    ],
  )
  assert.match(proposals[0]?.message_id ?? '', /^msg_/)
})

test('all are approved once the sample was read, which the assistant does not learn', async () => {
  const { assistant, owner, newContact, propose, sample, approveAll } = await scene()
  const emails: object[] = []
  for (let n = 0; n < 30; n++) emails.push({ contact_id: await newContact(`p${n}@example.com`) })
  const { batch_id } = await propose(emails)
  const drawn = await sample()
  assert.equal(drawn.length, sampleSize(30))
  const { batches } = await assistant.get<Listed>(proposalList)
  assert.deepEqual(batches[0]?.sample_ids, [])
  const all = { batch_id, decision: 'approve', read_ids: drawn.slice(1) }
  const refused = await owner.refused(proposalDecide, all)
  assert.deepEqual(
    [refused.code, refused.details.data?.['reason'], refused.details.data?.['unread']],
    ['conflict', 'sample_unread', 1],
  )
  assert.deepEqual(await approveAll(batch_id), { batch_id, emails: 30 })
  assert.deepEqual([1, 10, 11, 100, 101, 500].map(sampleSize), [1, 10, 10, 10, 11, 50])
})

test('one person gets three in 24 hours, by day, and the fourth when there is room', async () => {
  const { clock, newContact, propose, approveAll, runJobs, messages } = await scene()
  const contact_id = await newContact('ana@example.com')
  const { batch_id } = await propose(Array.from({ length: 4 }, () => ({ contact_id })))
  await approveAll(batch_id)
  clock.forward(hours(10))
  for (const verdict of await runJobs()) {
    assert.deepEqual(verdict, { outcome: 'again', at: new Date('2026-11-21T08:00:00Z') })
  }
  clock.forward(hours(12) - 1)
  assert.equal((await runJobs()).filter((verdict) => verdict?.outcome === 'done').length, 0)
  clock.forward(1)
  const verdicts = await runJobs()
  assert.deepEqual(verdicts[3], { outcome: 'again', at: new Date('2026-11-22T08:00:00Z') })
  assert.equal((await messages()).length, proposalLimits.perPersonPerDay)
  clock.forward(days(1) - 1)
  await runJobs()
  assert.equal((await messages()).length, proposalLimits.perPersonPerDay)
  clock.forward(1)
  await runJobs()
  assert.equal((await messages()).length, 4)
})

test('entries that cannot be sent are named, and the others wait', async () => {
  const { assistant, owner, newContact, propose } = await scene()
  const contact_id = await newContact('ana@example.com')
  const { contact_id: silent } = await owner.get<{ contact_id: string }>(contactUpsert, {
    email: 'silent@example.com',
  })
  const { waiting, refused } = await propose([
    { contact_id },
    { contact_id: silent },
    { to: 'nobody@example.com' },
    { to: 'no address' },
    {},
  ])
  assert.equal(waiting, 1)
  assert.deepEqual(
    refused.map(({ index }) => index),
    [1, 2, 3, 4],
  )
  const none = { emails: [{ contact_id: silent, subject: 'Hi', text: 'Hi' }] }
  assert.equal((await assistant.refused(messagePropose, none)).code, 'conflict')
  assert.equal((await propose([{ contact_id: silent }], { kind: 'transactional' })).waiting, 1)
})

test('what somebody no longer agrees to fails with the reason, and what was taken back is not sent', async () => {
  const { assistant, owner, newContact, propose, get, approveAll, runJobs, messages } =
    await scene()
  const contact_id = await newContact('ana@example.com')
  const { batch_id } = await propose([{ contact_id }])
  await approveAll(batch_id)
  const no = { email: { status: 'unsubscribed', source: 'by phone' } }
  await owner.get(contactUpsert, { email: 'ana@example.com', consent: no })
  await runJobs()
  const [email] = await get(batch_id)
  assert.equal(email?.status, 'failed')
  assert.notEqual(email?.reason, null)
  const { batch_id: later } = await propose([{ contact_id }], { kind: 'transactional' })
  const answer = { batch_id: later, cancelled: 1 }
  assert.deepEqual(await assistant.get(proposalCancel, { batch_id: later }), answer)
  const all = { batch_id: later, decision: 'approve' }
  assert.equal((await owner.refused(proposalDecide, all)).code, 'conflict')
  assert.deepEqual(await messages(), [])
})

test('where two people decide, whose assistant wrote them does not approve them', async () => {
  const { businessId, owner, callerOf, newContact, propose, get } = await scene()
  const { db } = database
  const other = await newMember(db, { businesses: [businessId] })
  await setBusiness(db, businessId, { key: 'two_people', value: 'yes', now: new Date() })
  const { batch_id } = await propose([{ contact_id: await newContact('ana@example.com') }])
  const proposal_ids = (await get(batch_id)).map(({ proposal_id }) => proposal_id)
  const approval = { batch_id, decision: 'approve', proposal_ids }
  assert.equal((await owner.refused(proposalDecide, approval)).code, 'role_required')
  const second = callerOf({ connectionId: null, userId: other })
  assert.deepEqual(await second.get(proposalDecide, approval), { batch_id, emails: 1 })
})

test('proposed emails follow a merge, go with an erasure, and are at most 2,000 at once', async () => {
  const { businessId, assistant, owner, newContact, propose, get } = await scene()
  const contact_id = await newContact('ana@example.com')
  const other_contact_id = await newContact('ben@example.com')
  const { batch_id } = await propose([{ contact_id: other_contact_id }])
  await owner.get(contactMerge({ traces: [proposalPersonalData] }), {
    contact_id,
    other_contact_id,
  })
  assert.equal((await get(batch_id))[0]?.email, 'ana@example.com')
  await database.db.run(sql`
    insert into proposals (business_id, id, batch_id, contact_id, kind, subject, body, state,
      user_id, proposed_at)
    select business_id, gen_random_uuid(), batch_id, contact_id, kind, subject, body, state,
      user_id, proposed_at
    from proposals cross join generate_series(1, ${proposalLimits.waiting - 2})
    where business_id = ${businessId}
  `)
  await propose([{ contact_id }])
  const over = { emails: [{ contact_id, subject: 'One', text: 'more' }] }
  const refused = await assistant.refused(messagePropose, over)
  assert.equal(refused.details.data?.['limit'], proposalLimits.waiting)
  await owner.get(contactErase, { contact_id })
  await database.db.tx((tx) =>
    proposalPersonalData.forget(
      tx,
      { businessId, contactIds: [parseId('contact', contact_id) as Id<'contact'>], addresses: [] },
      new Date(),
    ),
  )
  const { proposals } = await database.db.one<{ proposals: number }>(sql`
    select count(*)::int as proposals from proposals where business_id = ${businessId}
  `)
  assert.equal(proposals, 0)
})
