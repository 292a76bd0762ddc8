/** Carts and orders that a shop reports: which entry an event is about. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { preview, sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { days, hours, later } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

/** A business whose shop reports carts and orders of Ana. */
async function shop() {
  const scene = await sequenceScene({ db: database.db, templates })
  const track = async (event: string, properties: object = {}, more: object = {}) => {
    const contact = { email: 'ana@example.com' }
    await scene.caller.get(contactTrack, { events: [{ contact, event, properties, ...more }] })
    await scene.settle()
  }
  const mailed = async () =>
    (await scene.got('ana')).map(
      ({ variables }) => (variables.event as { cart_id: string }).cart_id,
    )
  return { ...scene, track, mailed }
}

const sameCart = { where: { 'properties.cart_id': { entry: 'cart_id' } } }

test('of two carts at once the one that is ordered leaves, and old orders end nothing', async () => {
  const { begin, template, agree, track, pass, mailed, peopleOf, clock } = await shop()
  await agree('ana')
  const before = later(clock.now(), -days(3)).toISOString()
  for (const cart_id of ['c1', 'c2', 'c1']) await track('order', { cart_id }, { at: before })
  const sequence_id = await begin({
    enter: { on: 'own_event', event: 'cart', again: 'each time' },
    exit: { did: 'order', since: 'entry', ...sameCart },
    steps: [{ wait: '4 hours' }, await template('Your cart')],
  })
  await track('cart', { cart_id: 'c1' })
  await track('cart', { cart_id: 'c2' })
  // A cart without an id is ended by no order.
  await track('cart')
  await pass(hours(1))
  await track('order', { cart_id: 'c2' })
  await track('order', { cart_id: 'c9' })
  await pass(hours(3))
  assert.deepEqual(await mailed(), ['c1', undefined])
  const { left, finished } = await peopleOf(sequence_id)
  assert.deepEqual([left, finished], [[{ reason: 'exit', count: 1 }], 2])
})

test('a goal, a split and a condition of a step compare with the cart that let the person in', async () => {
  const { begin, template, agree, track, pass, names, peopleOf } = await shop()
  await agree('ana')
  const ordered = { did: 'order', since: 'entry', ...sameCart }
  const large = { where: { ...sameCart.where, 'properties.total': { gt: 100 } } }
  const sequence_id = await begin({
    enter: { on: 'own_event', event: 'cart', again: 'each time' },
    goal: { did: 'paid', ...sameCart },
    steps: [
      { wait_for: { event: 'order', ...sameCart, up_to: '2 days' } },
      {
        split: [
          { if: { ...ordered, ...large }, steps: [await template('Large order')] },
          { if: ordered, steps: [await template('Order')] },
          { steps: [await template('No order')] },
        ],
      },
      { ...(await template('Not refunded')), if: { did_not: 'refund', ...sameCart } },
      { wait: '1 day' },
      await template('Last'),
    ],
  })
  for (const cart_id of ['c1', 'c2', 'c3']) await track('cart', { cart_id })
  await track('order', { cart_id: 'c2', total: 100 })
  assert.deepEqual(await names('ana'), ['Order', 'Not refunded'])
  await track('refund', { cart_id: 'c1' })
  await track('order', { cart_id: 'c1', total: 101 })
  assert.deepEqual(await names('ana'), ['Order', 'Not refunded', 'Large order'])
  await track('paid', { cart_id: 'c1' })
  await pass(days(2))
  assert.deepEqual(await names('ana'), [
    'Order',
    'Not refunded',
    'Large order',
    'Last',
    'No order',
    'Not refunded',
  ])
  assert.deepEqual((await peopleOf(sequence_id)).left, [{ reason: 'goal', count: 1 }])
})

test('the calendar of a person compares with their newest event, as if it let them in', async () => {
  const { begin, template, agree, track, caller } = await shop()
  const contact_id = await agree('ana')
  const sequence_id = await begin({
    enter: { on: 'own_event', event: 'cart', again: 'each time' },
    steps: [
      {
        split: [
          { if: { did: 'order', ...sameCart }, steps: [await template('Ordered')] },
          { steps: [await template('Not ordered')] },
        ],
      },
    ],
  })
  const branch = async () =>
    (await caller.get<{ calendar: { outcome: string }[] }>(preview, { sequence_id, contact_id }))
      .calendar[0]?.outcome
  assert.equal(await branch(), 'branch 2')
  await track('order', { cart_id: 'c2' })
  await track('cart', { cart_id: 'c1' })
  assert.equal(await branch(), 'branch 2')
  await track('cart', { cart_id: 'c2' })
  assert.equal(await branch(), 'branch 1')
})
