import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { savedMessage } from '../../../../tests/support/mail/saved-message.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { applyOptOuts, optOutsSince } from '../../contacts/opt-outs.ts'
import { listSuppressions } from '../../contacts/suppressions/list.ts'
import { suppress } from '../../contacts/suppressions/suppression.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { judgeAgain } from './judge-again.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock('2026-11-20T10:00:00Z')
const { hmac } = testVault

/** Lists what is to be judged of a business, as the migration does it. */
const listAll = (businessId: Id<'business'>) =>
  database.db.run(sql`
    insert into bounce_reviews (business_id, address_hmac, suppressed_at)
    select business_id, address_hmac, created_at from suppressions
    where business_id = ${businessId} and channel = 'email' and reason = 'bounce'
      and source not in ('import', 'suppression.import')
    on conflict do nothing
  `)

interface Old {
  words: string | null
  code?: string
  state?: 'bounced' | 'failed'
  source?: string
}

/** A suppression as the rule before made it, with the event of the message that caused it. */
async function suppressedBefore(businessId: Id<'business'>, old: Old): Promise<string> {
  const { db } = database
  const now = clock.now()
  clock.forward(seconds(1))
  const { words, code = '5.1.1', state = 'bounced', source = 'smtp' } = old
  const messageId = await savedMessage(db, businessId, now, state)
  const { to } = await db.one<{ to: string }>(sql`
    select recipient as "to" from messages where business_id = ${businessId} and id = ${messageId}
  `)
  await db.run(sql`
    insert into message_events (business_id, message_id, id, type, happened_at, code, words,
      created_at)
    values (${businessId}, ${messageId}, gen_random_uuid(), 'bounced', ${now}, ${code}, ${words},
      ${now})
  `)
  const row = { businessId, channel: 'email', address: to, reason: 'bounce', source } as const
  await db.tx((tx) => suppress(tx, hmac, [row], now))
  return to
}

const judge = () =>
  judgeAgain({ db: database.db, clock, log: silentLog }, new AbortController().signal)

async function reasons(businessId: Id<'business'>): Promise<string[]> {
  const rows = await database.db.all<{ reason: string }>(sql`
    select reason from suppressions where business_id = ${businessId} order by created_at
  `)
  return rows.map(({ reason }) => reason)
}

test('suppressions for a refusal of the sender are lifted, others stand, and those without words are listed', async () => {
  const { db } = database
  const businessId = await newBusiness(db)
  const old: Old[] = [
    { words: '550 5.1.1 192.0.2.9 is blocked: sender listed on spam blocklist' },
    {
      words: '550 5.2.1 The user is receiving mail at a rate that prevents delivery',
      code: '5.2.1',
    },
    { words: '550 5.1.1 user unknown' },
    // The limit of soft bounces, which is as it was.
    { words: '452 4.2.2 mailbox full', code: '4.2.2', state: 'failed' },
    // The provider knows the address to be invalid, though its words do not say so.
    { words: 'rejected', code: '', source: 'provider brevo' },
    { words: null },
  ]
  for (const one of old) await suppressedBefore(businessId, one)
  await db.run(sql`
    update suppressions set complained_at = created_at where business_id = ${businessId}
      and created_at = (select min(created_at) from suppressions where business_id = ${businessId})
  `)
  await listAll(businessId)
  assert.deepEqual(await judge(), { lifted: 2, stands: 3, not_judgeable: 1 })
  assert.deepEqual(await reasons(businessId), ['complaint', 'bounce', 'bounce', 'bounce', 'bounce'])
  const page = { hashes: null, before: null, limit: 10 }
  const all = await listSuppressions(db, businessId, page)
  const unclear = await listSuppressions(db, businessId, { ...page, notJudgeable: true })
  assert.deepEqual([all.length, unclear.length, unclear[0]?.isNotJudgeable], [5, 1, true])
  const audit = await db.all(sql`
    select 1 from audit_entries where business_id = ${businessId} and action = 'suppression.lift'
  `)
  assert.equal(audit.length, 2)
  // It runs once: what was judged is not judged again.
  assert.deepEqual(await judge(), { lifted: 0, stands: 0, not_judgeable: 0 })
})

test('a suppression that was made anew after the list is left as it is', async () => {
  const { db } = database
  const businessId = await newBusiness(db)
  const to = await suppressedBefore(businessId, { words: '550 5.1.1 blocked for spam' })
  await listAll(businessId)
  await db.run(sql`delete from suppressions where business_id = ${businessId}`)
  clock.forward(seconds(5))
  const row = {
    businessId,
    channel: 'email',
    address: to,
    reason: 'bounce',
    source: 'smtp',
  } as const
  await db.tx((tx) => suppress(tx, hmac, [row], clock.now()))
  assert.equal((await judge()).lifted, 0)
  assert.deepEqual(await reasons(businessId), ['bounce'])
})

test('a restore does not bring back what was lifted, as the ledger tells of it', async () => {
  const { db } = database
  const businessId = await newBusiness(db)
  const since = later(clock.now(), -seconds(1))
  const name = formatId('business', businessId)
  const linesOf = async () =>
    (await optOutsSince(db, hmac, since)).filter(
      (line) => 'business_id' in line && line.business_id === name,
    )
  await suppressedBefore(businessId, { words: '550 5.1.1 sender blocked for spam' })
  const before = await linesOf()
  await listAll(businessId)
  clock.forward(seconds(5))
  assert.equal((await judge()).lifted, 1)
  const lines = await linesOf()
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ['lifted'],
  )
  // An older copy without either: the ledger has both lines, in the order of their times.
  await applyOptOuts(db, hmac, [...before, ...lines], clock.now())
  assert.deepEqual(await reasons(businessId), [])
})
