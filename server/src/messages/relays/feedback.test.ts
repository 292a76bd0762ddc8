import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { savedMessage } from '../../../../tests/support/mail/saved-message.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { readMigrations } from '../../lib/db/migrate.ts'
import { createHeard, noteHeard } from './feedback.ts'
import { noteAnswers, probes } from './probes.ts'

const now = new Date('2026-11-20T10:00:00Z')
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('a relay that was heard stays heard, and one that was not is looked at again after seconds', async () => {
  const { db } = database
  let at = now
  const isHeard = createHeard({ db, clock: { now: () => at } })
  assert.equal(await isHeard('a.example:25'), false)
  await db.tx((tx) => noteHeard(tx, ['a.example:25', null, 'a.example:25'], 'a test', now))
  assert.equal(await isHeard('a.example:25'), false)
  at = new Date(now.getTime() + 5_000)
  assert.equal(await isHeard('a.example:25'), true)
  await db.run(sql`delete from relay_feedback`)
  assert.equal(await isHeard('a.example:25'), true)
  assert.equal(await isHeard('b.example:25'), false)
})

test('the first report on a test mail is its answer, and reports on unknown mails are none', async () => {
  const { db } = database
  const id = newId('message')
  await probes.begin(db, { id, route: 'c.example:25' }, now)
  assert.equal(await probes.answerTo(db, id), undefined)
  const told = { messageId: id, source: 'delivery report', words: '550 who' }
  const note = (...reports: (typeof told)[]) => db.tx((tx) => noteAnswers(tx, reports, now))
  assert.equal(await note(told, told, { ...told, messageId: newId('message') }), 1)
  assert.equal(await note({ ...told, words: 'another' }), 0)
  assert.equal(await probes.answerTo(db, id), 'delivery report: 550 who')
  await probes.begin(db, { id: newId('message'), route: 'd' }, new Date('2026-12-30T10:00:00Z'))
  assert.equal(await probes.answerTo(db, id), undefined)
})

test('the migration opens the relays from which reports had come back before', async () => {
  const { db } = database
  const businessId = await newBusiness(db)
  const states = {
    none: 'accepted',
    told: 'delivered',
    late: 'bounced',
    at_once: 'bounced',
  } as const
  for (const [route, state] of Object.entries(states)) {
    const id = await savedMessage(db, businessId, now, state)
    await db.run(sql`update messages set route = ${route} where id = ${id}`)
    await db.run(sql`
      insert into send_throttles (route, domain, kind, provider, tokens, filled_at, in_flight,
        first_day, day, sent_that_day)
      values (${route}, 'shop.example', 'marketing', '*', 1, ${now}, 1, ${now}, ${now}, 0)
    `)
    if (route !== 'late') continue
    await db.run(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, created_at)
      values (${businessId}, ${id}, gen_random_uuid(), 'accepted', ${now}, ${now})
    `)
  }
  const { text = '' } =
    readMigrations().find(({ name }) => name.endsWith('_relay_feedback.sql')) ?? {}
  const backfill = text.slice(text.indexOf('insert into relay_feedback')).replace(/;\s*$/, '')
  await db.run({ name: 'backfill', text: backfill, values: [] })
  const heard = await db.all<{ route: string }>(sql`
    select route from relay_feedback where source = 'before this version' order by route
  `)
  assert.deepEqual(
    heard.map(({ route }) => route),
    ['late', 'told'],
  )
})
