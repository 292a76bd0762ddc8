/** The rows that a turn reads do not grow with the campaign, even without table statistics yet. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { leaveUncounted, lookedAt } from '../../../../tests/support/postgres/looks.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { findOpen, type RunKey } from '../campaign-run.ts'
import { lockUnknown, takeAgain } from '../resend.ts'
import { type ChangedRecipient, lockRecipients, updateRecipients } from '../results/outcomes.ts'
import {
  cancelPending,
  type DispatchedRow,
  findNext,
  findOpenMessages,
  findTimed,
  nextHour,
  updateDispatched,
} from './run.ts'

const many = 20_000
const few = 40
const now = new Date('2026-11-20T10:00:00Z')

let database: TestDatabase
before(async () => {
  database = await testDatabase()
  await leaveUncounted(database.db, ['campaign_recipients'])
})
after(() => database.drop())

async function freeze(run: RunKey, count: number, state: string): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('contact'))
  await database.db.run(sql`
    insert into campaign_recipients (business_id, campaign_id, contact_id, state, message_id,
      updated_at)
    select ${run.businessId}, ${run.campaignId}, id, ${state},
      case when ${state} <> 'pending' then gen_random_uuid() end, ${now}
    from unnest(${ids}::uuid[]) as id
  `)
}

/** A few contacts from the middle of the run. */
async function someOf(run: RunKey): Promise<Id<'contact'>[]> {
  const rows = await database.db.all<{ id: Id<'contact'> }>(sql`
    select contact_id as id from campaign_recipients
    where business_id = ${run.businessId} and campaign_id = ${run.campaignId}
    order by contact_id offset 5 limit ${few}
  `)
  return rows.map(({ id }) => id)
}

interface Case {
  name: string
  /** The state of the rows before the work. */
  state: 'pending' | 'taken' | 'unknown'
  /** Returns the number of changed rows. */
  work(tx: Tx, run: RunKey, some: Id<'contact'>[]): Promise<number>
}

const taken = (contactId: Id<'contact'>): DispatchedRow => ({
  contactId,
  state: 'taken',
  reason: null,
  messageId: newId('message'),
  dueAt: null,
})
const sent = (run: RunKey, contactId: Id<'contact'>): ChangedRecipient => ({
  ...run,
  contactId,
  state: 'sent',
  reason: null,
  marks: 0,
})
const email = { channel: 'email', topic: null, limit: few } as const

const cases: Case[] = [
  {
    name: 'whoever is next is found',
    state: 'pending',
    work: async (tx, run, [first]) =>
      (await findNext(tx, { ...run, ...email }, first ?? null)).length,
  },
  {
    name: 'those who are taken are marked',
    state: 'pending',
    work: (tx, run, some) => updateDispatched(tx, run, some.map(taken), now),
  },
  {
    name: 'those who were sent to are held',
    state: 'taken',
    work: async (tx, run, some) =>
      (
        await lockRecipients(
          tx,
          some.map((contactId) => ({ ...run, contactId })),
        )
      ).length,
  },
  {
    name: 'those who were sent to are marked',
    state: 'taken',
    work: (tx, run, some) =>
      updateRecipients(
        tx,
        some.map((id) => sent(run, id)),
        now,
      ),
  },
  {
    name: 'messages that are open are found',
    state: 'taken',
    work: async (tx, run, [from]) =>
      from ? (await findOpenMessages(tx, run, { from, limit: few })).length : 0,
  },
  {
    name: 'those who are not to be taken are cancelled',
    state: 'pending',
    work: async (tx, run, [after]) =>
      (await cancelPending(tx, run, { after: after ?? null, limit: few, now })).length,
  },
  {
    name: 'those who are unknown are held',
    state: 'unknown',
    work: async (tx, run) => (await lockUnknown(tx, run, { ...email, contactIds: null })).length,
  },
  {
    name: 'those who were named of the unknown are taken again',
    state: 'unknown',
    work: (tx, run, some) =>
      takeAgain(
        tx,
        run,
        some.map((contactId) => ({ contactId, id: newId('message') })),
        now,
      ),
  },
]

for (const { name, state, work } of cases) {
  test(`query cost is the same in a large campaign as in a small one: ${name}`, async () => {
    const { db } = database
    const run = (): RunKey => ({ businessId: newId('business'), campaignId: newId('campaign') })
    // On a small table, and more often than PostgreSQL needs to keep a generic plan.
    await db.run(sql`truncate campaign_recipients`)
    const small = run()
    await freeze(small, 50, state)
    await db.run(sql`analyze campaign_recipients`)
    for (let n = 0; n < 12; n++) {
      const some = await someOf(small)
      await db.tx(async (tx) => {
        assert.ok((await work(tx, small, some)) > 0)
        await tx.run(sql`update campaign_recipients set state = ${state}`)
      })
    }
    const large = run()
    await freeze(large, many, state)
    const some = await someOf(large)
    const looked = await db.tx((tx) =>
      lookedAt(tx, 'campaign_recipients', async () => {
        assert.ok((await work(tx, large, some)) >= few - 1)
      }),
    )
    assert.ok(looked >= few - 1 && looked < few * 4, `${looked} rows were looked at`)
  })
}

test('the check whether a large campaign has ended reads only a few rows', async () => {
  const { db } = database
  await db.run(sql`truncate campaign_recipients`)
  await db.run(sql`analyze campaign_recipients`)
  const run: RunKey = { businessId: newId('business'), campaignId: newId('campaign') }
  await freeze(run, many, 'pending')
  const looked = await db.tx((tx) =>
    lookedAt(tx, 'campaign_recipients', async () => {
      assert.ok(await findOpen(tx, run, null))
      assert.equal(await nextHour(tx, run), undefined)
      assert.deepEqual(await findTimed(tx, { ...run, ...email }, now), [])
    }),
  )
  assert.ok(looked < few, `${looked} rows were looked at`)
})
