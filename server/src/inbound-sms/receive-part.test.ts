import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ana, ourNumber, type Place, placeOf, route } from '../../../tests/support/sms/replies.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { PartPlace } from '../lib/sms/transport.ts'
import { seconds } from '../lib/time/clock.ts'
import { partsWaitMs, takeOverdue } from './receive-part.ts'
import { listReplies } from './reply.ts'

let database: TestDatabase
let place: Place
let shop: Id<'business'>
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  await database.db.run(sql`
    truncate text_parts, stopped_numbers, text_answers, messages, businesses cascade
  `)
  place = placeOf(database.db)
  shop = await place.business(ourNumber)
})

type Sent = Partial<PartPlace> & { from?: string; to?: string }

/** Delivers a part as a link does; `by` may be a service that has just started. */
function bring(body: string, part: number, more: Sent = {}, by = place): Promise<void> {
  const { from = ana, to = ourNumber, reference = 7, total = 3 } = more
  const text = { from, to, body, providerId: crypto.randomUUID(), at: by.clock.now() }
  return by.replies.listenerOn(route).inbound({ ...text, partPlace: { reference, total, part } })
}

const bodiesOfReplies = async () => {
  const found = await listReplies(database.db, shop, { open: false, before: null, limit: 50 })
  return found.map(({ body }) => body).toSorted()
}

const overdue = () =>
  takeOverdue({ db: database.db, clock: place.clock, hmac: testVault.hmac, wake() {} })

test('parts of a text are joined in order, whatever order they arrive in and however often', async () => {
  await bring('three', 3)
  await bring('one ', 1)
  await bring('one ', 1)
  assert.deepEqual(await bodiesOfReplies(), [])
  await bring('two ', 2)
  assert.deepEqual(await bodiesOfReplies(), ['one two three'])
  place.clock.forward(partsWaitMs)
  assert.equal(await overdue(), 0)
})

test('an emoji split over two parts is restored', async () => {
  const face = '\u{1f600}'
  await bring(`a${face[0]}`, 1, { total: 2 })
  await bring(`${face[1]}b`, 2, { total: 2 })
  assert.deepEqual(await bodiesOfReplies(), [`a${face}b`])
})

test('parts from other phones, to other numbers or of other texts are not mixed', async () => {
  const other = { total: 2 }
  await bring('a', 1, other)
  await bring('b', 2, { ...other, from: '+33612345679' })
  await bring('c', 2, { ...other, to: '+33700000009' })
  await bring('d', 2, { ...other, reference: 8 })
  assert.deepEqual(await bodiesOfReplies(), [])
  await bring('e', 2, other)
  assert.deepEqual(await bodiesOfReplies(), ['ae'])
})

test('an incomplete STOP survives the process, and is handled with the parts that arrived', async () => {
  await place.contact(shop, ana)
  await bring('ST', 1)
  await bring('OP', 2)
  // The process is gone, and another one handles the parts; the third part never comes.
  const after = placeOf(database.db)
  assert.equal(await overdue(), 0)
  place.clock.forward(partsWaitMs - seconds(1))
  assert.equal(await overdue(), 0)
  place.clock.forward(seconds(1))
  assert.equal(await overdue(), 1)
  assert.deepEqual(await bodiesOfReplies(), ['STOP'])
  assert.equal((await contactsOf(database.db, shop))[0]?.consent.sms, 'unsubscribed')
  const [answer] = await after.answers(ana)
  assert.match(answer?.text ?? '', /no more texts/)
})

test('parts that reach two processes are joined', async () => {
  const other = placeOf(database.db)
  await bring('ST', 1, { total: 2 })
  await bring('OP', 2, { total: 2 }, other)
  assert.deepEqual(await bodiesOfReplies(), ['STOP'])
})

test('of several concurrent searches for overdue parts, one handles them', async () => {
  await bring('ST', 1, { total: 2 })
  place.clock.forward(partsWaitMs)
  await Promise.all([overdue(), overdue(), overdue()])
  assert.deepEqual(await bodiesOfReplies(), ['ST'])
})
