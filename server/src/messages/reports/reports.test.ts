import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
import { noOutcomes } from '../../../../tests/support/businesses/outcomes.ts'
import { savedMessage } from '../../../../tests/support/mail/saved-message.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { type Id, newId } from '../../core/ids.ts'
import type { MessageState } from '../message.ts'
import { insertEvents } from '../message-events.ts'
import { findMessage, listMessageEvents } from '../view.ts'
import { acceptancesOf, findMessages, type MessageReport, recordReports } from './reports.ts'

let database: TestDatabase
let businessId: Id<'business'>
before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
})
after(() => database.drop())

const now = new Date('2026-11-20T10:00:00Z')
const message = (state?: MessageState) => savedMessage(database.db, businessId, now, state)

const tell = (...news: (Partial<MessageReport> & Pick<MessageReport, 'messageId' | 'event'>)[]) =>
  database.db.tx((tx) =>
    recordReports(
      tx,
      news.map((entry) => ({ businessId, at: now, source: 'a test', ...entry })),
      now,
      noOutcomes,
    ),
  )

async function storedOutcome(id: Id<'message'>) {
  const { db } = database
  const shown = await findMessage(db, businessId, id)
  const events = await listMessageEvents(db, businessId, { id, createdAt: now }, 100)
  const all = await eventsOf(db, businessId)
  return {
    state: shown?.state,
    types: events.map(({ type }) => type),
    announced: all
      .filter(({ data }) => String(data['message_id']).length > 0)
      .filter(({ data }) => String(data['to']) === shown?.to && data['message_id'])
      .map(({ type }) => type),
  }
}

test('a delivery is announced once, however often it is reported', async () => {
  const messageId = await message()
  await tell({ messageId, event: 'delivered' }, { messageId, event: 'delivered' })
  await Promise.all([
    tell({ messageId, event: 'delivered' }),
    tell({ messageId, event: 'delivered' }),
  ])
  assert.deepEqual(await storedOutcome(messageId), {
    state: 'delivered',
    types: ['delivered'],
    announced: ['message.sent', 'message.delivered'],
  })
})

test('a hard bounce is announced with the server’s words, and another failure as a failure', async () => {
  const hard = await message()
  const soft = await message()
  const words = { code: '5.1.1', text: 'user unknown' }
  await tell(
    { messageId: hard, event: 'bounced', bounce: { kind: 'hard', suppressed: true }, ...words },
    { messageId: soft, event: 'bounced', bounce: { kind: 'soft', suppressed: false } },
  )
  assert.equal((await storedOutcome(hard)).state, 'bounced')
  assert.equal((await storedOutcome(soft)).state, 'failed')
  const events = await eventsOf(database.db, businessId)
  const bounced = events.filter(({ type }) => type === 'message.bounced')
  assert.equal(bounced.length, 1)
  assert.equal(bounced[0]?.data['reason'], '5.1.1 user unknown')
  assert.equal(bounced[0]?.data['suppressed'], true)
  assert.deepEqual((await storedOutcome(soft)).announced, ['message.sent', 'message.failed'])
})

test('a complaint is announced, and of several reports of a delay only the first', async () => {
  const messageId = await message()
  await tell({ messageId, event: 'deferred', source: 'one', code: '4.4.1', text: 'no answer' })
  await tell(
    { messageId, event: 'deferred', source: 'two' },
    { messageId, event: 'complained', source: 'three' },
  )
  const { announced } = await storedOutcome(messageId)
  assert.deepEqual(announced, ['message.sent', 'message.deferred', 'message.complained'])
  const events = await eventsOf(database.db, businessId)
  const [deferred] = events.filter(({ type }) => type === 'message.deferred')
  assert.deepEqual(
    [deferred?.data['reason'], deferred?.data['next_attempt_at']],
    ['4.4.1 no answer', null],
  )
})

test('no event undoes a bounce, and a message in state unknown can still become delivered', async () => {
  const dead = await message('bounced')
  await tell({ messageId: dead, event: 'delivered' })
  assert.equal((await storedOutcome(dead)).state, 'bounced')
  const unknown = await message('unknown')
  await tell({ messageId: unknown, event: 'delivered' })
  assert.equal((await storedOutcome(unknown)).state, 'delivered')
})

test('the moment of acceptance is the last one in the events of a message', async () => {
  const { db } = database
  const [accepted, waiting] = [await message(), await message()]
  const last = new Date(now.getTime() + 5_000)
  const event = (type: string, at: Date) => ({
    businessId,
    messageId: accepted,
    id: randomUUID(),
    type,
    at,
    code: null,
    words: null,
    url: null,
    machine: null,
  })
  const events = [event('accepted', now), event('accepted', last), event('delivered', now)]
  await db.tx((tx) => insertEvents(tx, events as Parameters<typeof insertEvents>[1], now))
  const keys = [accepted, accepted, waiting].map((messageId) => ({ businessId, messageId }))
  assert.deepEqual(await acceptancesOf(db, keys), [{ messageId: accepted, at: last }])
  const other = await newBusiness(db)
  assert.deepEqual(await acceptancesOf(db, [{ businessId: other, messageId: accepted }]), [])
})

test('opens and clicks are announced as they come, and those by machines are marked', async () => {
  const messageId = await message()
  await tell(
    { messageId, event: 'opened', machine: true, source: 'one' },
    { messageId, event: 'opened', machine: false, source: 'two' },
    { messageId, event: 'clicked', url: 'https://shop.example/', machine: false, source: 'three' },
    { messageId, event: 'deferred', source: 'four' },
  )
  const { state, types, announced } = await storedOutcome(messageId)
  assert.equal(state, 'accepted')
  assert.deepEqual(types.toSorted(), ['clicked', 'deferred', 'opened', 'opened'])
  assert.deepEqual(announced.toSorted(), [
    'message.clicked',
    'message.deferred',
    'message.opened',
    'message.opened',
    'message.sent',
  ])
})

test('an event for a message that does not exist is ignored', async () => {
  await tell({ messageId: newId('message'), event: 'delivered' })
  const known = await message()
  const found = await findMessages(database.db, [known, newId('message')])
  assert.deepEqual(
    found.map(({ id, businessId: owner }) => [id, owner]),
    [[known, businessId]],
  )
})
