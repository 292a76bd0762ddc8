/** Reads of messages do not grow with the business, even without table statistics yet. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { count, leaveUncounted, lookedAt } from '../../../tests/support/postgres/looks.ts'
import { type Id, newId } from '../core/ids.ts'
import { openDatabase, sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { beginAttempts, endAttempts } from './attempts.ts'
import { findContents } from './content.ts'
import { blankMessages } from './personal-data.ts'
import { endWaitingMessages } from './queue.ts'
import { findByIds, lockMessages, setStates } from './reports/reports.ts'
import { findDue, postpone } from './sending.ts'
import { listMessages } from './view.ts'

const many = 20_000
const few = 40
const now = new Date('2026-11-20T10:00:00Z')
const shard = 7
const tables = [
  'messages',
  'message_contents',
  'message_events',
  'jobs',
  'contacts',
  'suppressions',
]
const ours = newId('business')

let database: TestDatabase
before(async () => {
  database = await testDatabase()
  await leaveUncounted(database.db, ['message_events_default', ...tables.toSpliced(2, 1)])
  await fill(newId('business'), many)
  await count(database.db, tables)
})
after(() => database.drop())

/** Each message goes to its own contact, in its own job, under the lease of its id. */
async function fill(businessId: Id<'business'>, number: number): Promise<void> {
  const ids = Array.from({ length: number }, () => newId('message'))
  await database.db.run(sql`
    with new (id) as (select * from unnest(${ids}::uuid[])),
    said as (
      insert into message_contents (business_id, message_id, subject, created_at)
      select ${businessId}, id, 'Hello', ${now} from new
    ), told as (
      insert into message_events (business_id, message_id, id, type, happened_at, created_at)
      select ${businessId}, id, id, 'queued', ${now}, ${now} from new
    ), queued as (
      insert into jobs (business_id, shard, id, lane, kind, payload, due_at, lease, created_at)
      select ${businessId}, ${shard}, id, ${newId('job')}, 'send', '{}', ${now}, id, ${now} from new
    )
    insert into messages (business_id, id, kind, contact_id, recipient, recipient_mark, state,
      attempt_id, attempts, due_at, created_at, updated_at)
    select ${businessId}, id, 'transactional', id, id || '@example.com', uuid_send(id), 'queued',
      id, 0, ${now}, ${now}, ${now}
    from new
  `)
}

interface Case {
  name: string
  /** Returns the number of changed messages; `some` are their ids. */
  work(tx: Tx, some: Id<'message'>[]): Promise<number>
}

const key = (id: Id<'message'>) => ({ businessId: ours, id })
const contactOf = (id: string | undefined) => (id ?? '') as Id<'contact'>
const every = {
  state: null,
  channel: null,
  to: null,
  subject: null,
  metadata: null,
  tag: null,
  templateId: null,
  from: null,
  contactId: null,
  before: null,
  limit: few,
}

const cases: Case[] = [
  {
    name: 'the newest are listed',
    work: async (tx) => (await listMessages(tx, ours, every)).length,
  },
  {
    name: 'those to one contact are listed',
    work: async (tx, [first]) =>
      few * (await listMessages(tx, ours, { ...every, contactId: contactOf(first) })).length,
  },
  {
    name: 'what is due is found',
    work: async (tx, some) => (await findDue(tx, ours, some, now)).length,
  },
  {
    name: 'attempts begin',
    work: async (tx, some) => {
      const all = some.map((id) => {
        const job = { businessId: ours, shard, id: id as string as Id<'job'>, lease: id }
        return { ...key(id), job, route: 'r', sender: 'd', provider: 'p', stoppedMark: null }
      })
      return (await beginAttempts(tx, all, now)).length
    },
  },
  {
    name: 'attempts end',
    work: async (tx, some) => {
      await tx.run(sql`update messages set state = 'attempting' where id = any(${some}::uuid[])`)
      const none = {
        dueAt: null,
        code: null,
        words: null,
        takenAs: null,
        route: null,
        segments: null,
      }
      const all = some.map((id) => {
        const eventId = newId('activity')
        return { ...key(id), attemptId: id, state: 'accepted' as const, at: now, eventId, ...none }
      })
      return (await endAttempts(tx, all, now)).length
    },
  },
  {
    name: 'what they say is found',
    work: async (tx, some) => (await findContents(tx, some.map(key))).length,
  },
  {
    name: 'those of a report are found and held',
    work: async (tx, some) => {
      const keys = some.map((messageId) => ({ businessId: ours, messageId }))
      assert.equal((await findByIds(tx, some)).length, some.length)
      return (await lockMessages(tx, keys)).length
    },
  },
  {
    name: 'news change their states',
    work: (tx, some) =>
      setStates(
        tx,
        some.map((id) => ({ ...key(id), state: 'delivered' as const })),
        now,
      ),
  },
  {
    name: 'those that wait are put off and cancelled',
    work: async (tx, some) => {
      await postpone(
        tx,
        ours,
        some.map((id) => ({ id, until: now, provider: null })),
        now,
      )
      return (await endWaitingMessages(tx, ours, { ids: some, state: 'cancelled' }, now)).length
    },
  },
]

/** Runs the work and rolls it back, so that the next case finds the same data. */
async function trial(db: Database, work: (tx: Tx) => Promise<void>): Promise<void> {
  const undone = new Error('undone')
  const run = db.tx(async (tx) => {
    await work(tx)
    throw undone
  })
  await run.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

async function someOf(number: number): Promise<Id<'message'>[]> {
  const rows = await database.db.all<{ id: Id<'message'> }>(sql`
    select id from messages where business_id = ${ours} order by id offset 5 limit ${number}
  `)
  return rows.map(({ id }) => id)
}

test('in a grown business, message queries read about as many rows as they find', async (t) => {
  // A second connection, whose plans are made after the growth.
  const other = openDatabase({ connection: database.connection, poolSize: 1 })
  t.after(() => other.end())
  await fill(ours, 50)
  const early = await someOf(few)
  // More runs than it takes PostgreSQL to keep a generic plan.
  for (const { work } of cases) {
    for (let n = 0; n < 12; n++) {
      await trial(database.db, async (tx) => assert.equal(await work(tx, early), few))
    }
  }
  await fill(ours, many)
  const some = await someOf(few)
  for (const { name, work } of cases) {
    await t.test(name, async () => {
      for (const db of [database.db, other]) {
        await trial(db, async (tx) => {
          for (const table of ['messages', 'message_contents', 'message_events', 'jobs']) {
            const looked = await lookedAt(tx, table, async () => {
              await tx.run(sql`savepoint before`)
              assert.equal(await work(tx, some), few)
              await tx.run(sql`rollback to before`)
            })
            assert.ok(looked <= few * 4, `${looked} rows of ${table} were looked at`)
          }
        })
      }
    })
  }
})

test('the contents and events of an erased person are looked up by message', async () => {
  const [one] = await someOf(1)
  await trial(database.db, async (tx) => {
    await tx.run(sql`update messages set state = 'accepted' where id = ${one}`)
    const erased = { businessId: ours, contactIds: [contactOf(one)], addresses: [] }
    for (const table of ['message_contents', 'message_events']) {
      const looked = await lookedAt(tx, table, async () => {
        await tx.run(sql`savepoint before`)
        await blankMessages(tx, erased)
        await tx.run(sql`rollback to before`)
      })
      assert.ok(looked > 0 && looked < few, `${looked} rows of ${table} were looked at`)
    }
  })
})
