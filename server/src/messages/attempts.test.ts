/** Which job may attempt a message that several have, and whose outcome is recorded. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { eventsOf } from '../../../tests/support/businesses/contacts.ts'
import { noOutcomes } from '../../../tests/support/businesses/outcomes.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { createJournal, type Journal } from '../lib/concurrency/journal.ts'
import { sql } from '../lib/db/db.ts'
import type { HeldJob } from '../lib/jobs/claim.ts'
import type { Acceptance, Outcome } from './attempts.ts'
import { type Attempts, createAttempts } from './attempts.ts'

const now = new Date('2026-11-20T10:00:00Z')
const shard = 7
const businessId = newId('business')

let database: TestDatabase
let folder: string
let journal: Journal<Acceptance>
let attempts: Attempts
before(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-attempts-'))
  journal = createJournal(folder)
  attempts = attemptsWith(journal)
})

function attemptsWith(journal: Journal<Acceptance>): Attempts {
  return createAttempts({
    db: database.db,
    clock: { now: () => now },
    hmac: (purpose, text) => createHmac('sha256', purpose).update(text).digest(),
    journal,
    wake: undefined,
    outcomes: noOutcomes,
  })
}
after(async () => {
  attempts.stop()
  await journal.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

async function queued(tags?: string[]): Promise<Id<'message'>> {
  const labels = tags ? JSON.stringify({ tags }) : null
  const id = newId('message')
  await database.db.run(sql`
    insert into messages (business_id, id, kind, recipient, recipient_mark, state, attempts,
      labels, due_at, created_at, updated_at)
    values (${businessId}, ${id}, 'transactional', 'ana@example.com', uuid_send(${id}), 'queued',
      0, ${labels}::jsonb, ${now}, ${now}, ${now})
  `)
  return id
}

/** Many jobs are claimed under one lease. */
async function held(lease: string): Promise<HeldJob> {
  const id = newId('job')
  await database.db.run(sql`
    insert into jobs (business_id, shard, id, lane, kind, payload, due_at, lease, created_at)
    values (${businessId}, ${shard}, ${id}, ${newId('job')}, 'send', '{}', ${now}, ${lease}, ${now})
  `)
  return { businessId, shard, id, lease }
}

function begin(id: Id<'message'>, job: HeldJob) {
  const to = 'ana@example.com'
  const way = { route: 'r', sender: 'd', provider: 'p' }
  return attempts.begin({ businessId, id, channel: 'email', to, job, ...way })
}

const end = (id: Id<'message'>, job: HeldJob, state: Outcome['state']): Promise<void> =>
  attempts.end(outcomeOf(id, job, state))

function outcomeOf(id: Id<'message'>, { lease }: HeldJob, state: Outcome['state']): Outcome {
  return {
    businessId,
    id,
    campaignId: null,
    attemptId: lease,
    state,
    at: now,
    dueAt: state === 'deferred' ? now : null,
    code: null,
    words: state,
    takenAs: null,
    segments: null,
    route: null,
    suppress: false,
    stopped: false,
    refusesSender: false,
  }
}

const one = randomUUID()
const another = randomUUID()
for (const [what, leases] of [
  ['one lease', [one, one]],
  ['two', [one, another]],
] as const) {
  test(`of two jobs under ${what} that try a message at once, only one may attempt it`, async () => {
    const id = await queued()
    const jobs = await Promise.all(leases.map(held))
    const answers = await Promise.all(jobs.map((job) => begin(id, job)))
    assert.deepEqual(answers.toSorted(), ['attempting', 'lost'])
    const [row] = await database.db.all<{ attempts: number; job: string }>(sql`
      select attempts, job_id as job from messages where business_id = ${businessId} and id = ${id}
    `)
    assert.deepEqual(row, { attempts: 1, job: jobs[answers.indexOf('attempting')]?.id })
  })
}

test('of two concurrent outcomes of a message, only that of the current delivery attempt is stored', async () => {
  const id = await queued()
  const [first, second] = await Promise.all([held(randomUUID()), held(randomUUID())])
  assert.equal(await begin(id, first), 'attempting')
  await end(id, first, 'deferred')
  assert.equal(await begin(id, second), 'attempting')
  await Promise.all([end(id, second, 'accepted'), end(id, first, 'bounced')])
  const [row] = await database.db.all<{ state: string; events: string[] }>(sql`
    select state, (select array_agg(type || ' ' || words order by type) from message_events e
      where e.business_id = m.business_id and e.message_id = m.id) as events
    from messages m where business_id = ${businessId} and id = ${id}
  `)
  assert.deepEqual(row, { state: 'accepted', events: ['accepted accepted', 'deferred deferred'] })
})

async function toldOf(id: Id<'message'>) {
  const events = await eventsOf(database.db, businessId)
  return events
    .filter(({ data }) => data['message_id'] === formatId('message', id))
    .map(({ type, data }) => ({ type, reason: data['reason'], tags: data['tags'] }))
}

test('a message’s first deferral and its failure are announced with its tags, further deferrals are not', async () => {
  const id = await queued(['order'])
  for (const state of ['deferred', 'deferred', 'failed'] as const) {
    const job = await held(randomUUID())
    assert.equal(await begin(id, job), 'attempting')
    await end(id, job, state)
  }
  assert.deepEqual(await toldOf(id), [
    { type: 'message.deferred', reason: 'deferred', tags: ['order'] },
    { type: 'message.failed', reason: 'failed', tags: ['order'] },
  ])
})

test('a message whose address was suppressed after it was queued is announced as suppressed', async () => {
  const id = await queued()
  await database.db.run(sql`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at)
    values (${businessId}, 'email', uuid_send(${id}), 'bounce', 'a test', ${now})
  `)
  assert.equal(await begin(id, await held(randomUUID())), 'suppressed')
  assert.deepEqual(await toldOf(id), [
    { type: 'message.suppressed', reason: 'bounce', tags: undefined },
  ])
})

test('an acceptance is announced only while a webhook of the business asks for it', async () => {
  const accept = async () => {
    const id = await queued(['order'])
    const job = await held(randomUUID())
    await begin(id, job)
    await end(id, job, 'accepted')
    return (await toldOf(id)).map(({ type }) => type)
  }
  const webhook = (events: string[]) =>
    database.db.run(sql`
      insert into webhooks (business_id, id, url, events, holder_id, created_at, updated_at)
      values (${businessId}, ${newId('webhook')}, 'https://shop.example/', ${events}::text[],
        ${newId('connection')}, ${now}, ${now})
    `)
  await webhook(['message.sent'])
  assert.deepEqual(await accept(), [])
  await webhook(['message.accepted'])
  assert.deepEqual(await accept(), ['message.accepted'])
  await database.db.run(sql`update webhooks set deleted_at = ${now}`)
  assert.deepEqual(await accept(), [])
})

test('an acceptance that finds no room in the journal is in the database before the sender goes on', async () => {
  const write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
  const without = attemptsWith({ ...journal, write })
  const id = await queued()
  const job = await held(randomUUID())
  assert.equal(await begin(id, job), 'attempting')
  await without.accept(outcomeOf(id, job, 'accepted'))
  const [row] = await database.db.all<{ state: string }>(sql`
    select state from messages where business_id = ${businessId} and id = ${id}
  `)
  assert.equal(row?.state, 'accepted')
})
