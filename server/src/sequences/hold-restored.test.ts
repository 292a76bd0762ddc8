/** What a restored database holds may have gone on after the backup: nobody gets a mail twice. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SavedSequence, sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { segmentSave } from '../contacts/segments/save.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { sequenceGet } from './get.ts'
import { holdRestoredSequences } from './hold-restored.ts'
import { look } from './look.ts'
import { sequenceResume } from './resume.ts'

const { hmac } = testVault
let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

/** A scene that is held as a restore does it, and goes on when a person resumes the sequence. */
async function heldScene() {
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock, caller, person, settle, peopleOf } = scene
  return {
    ...scene,
    hold: () => holdRestoredSequences(db, { hmac, now: clock.now() }),
    lookAt: async (sequence_id: string) => {
      const sequenceId = parseId('sequence', sequence_id)
      assert.ok(sequenceId)
      const deps = { db, clock, hmac, wake: () => undefined }
      await look(deps, { businessId: id, sequenceId })
      await settle()
    },
    async resume(sequence_id: string) {
      const { pause_reason } = await caller.get<SavedSequence>(sequenceGet, { sequence_id })
      assert.equal(pause_reason, 'restored')
      await person.get(sequenceResume, { sequence_id })
      await settle()
    },
    leftOf: async (sequence_id: string) => (await peopleOf(sequence_id)).left,
  }
}

test('whose mail may have gone out leaves, and who was not due goes on', async () => {
  const { begin, template, agree, settle, pass, names, clock, hold, resume, leftOf } =
    await heldScene()
  const [one, two] = [await template('A'), await template('B')]
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    steps: [one, { wait: '1 day' }, two],
  })
  await agree('ana')
  await settle()
  clock.forward(hours(12))
  await agree('bo')
  await settle()
  clock.forward(hours(12))
  await hold()
  await resume(sequence_id)
  await pass(days(2))
  assert.deepEqual([await names('ana'), await names('bo')], [['A'], ['A', 'B']])
  assert.deepEqual(await leftOf(sequence_id), [{ reason: 'in_doubt', count: 1 }])
})

test('an event without a position lets nobody in again, and a later one does', async () => {
  const { begin, template, agree, settle, names, caller, hold, resume, leftOf } = await heldScene()
  const mail = await template('A')
  const welcome = await begin({ enter: { on: 'consent.given' }, steps: [mail] })
  const cart = await begin({
    enter: { on: 'own_event', event: 'cart', again: 'latest' },
    steps: [await template('Cart')],
  })
  const track = (name: string) =>
    caller.get(contactTrack, {
      events: [{ contact: { email: `${name}@example.com` }, event: 'cart', properties: {} }],
    })
  await agree('ana')
  await track('ana')
  await track('ana')
  await hold()
  await settle()
  await resume(welcome)
  await resume(cart)
  assert.deepEqual(await names('ana'), [])
  assert.deepEqual(await leftOf(welcome), [{ reason: 'in_doubt', count: 1 }])
  assert.deepEqual(await leftOf(cart), [{ reason: 'in_doubt', count: 2 }])
  await agree('bo')
  await track('ana')
  await settle()
  assert.deepEqual([await names('ana'), await names('bo')], [['Cart'], ['A']])
})

test('a date that has come and a segment that has grown let nobody in again', async () => {
  const { begin, template, agree, settle, names, clock, caller, hold, resume, leftOf, lookAt } =
    await heldScene()
  // It is 20 November 2026, 11:00 in Berlin, whose business this is.
  const birthday = await begin({
    enter: { on: 'date', field: 'birthday', yearly: true },
    steps: [await template('Birthday')],
  })
  const { segment_id } = await caller.get<{ segment_id: string }>(segmentSave, {
    name: 'VIPs',
    filter: { tag: 'vip' },
  })
  const vip = await begin({
    enter: { on: 'segment.entered', segment_id },
    steps: [await template('VIP')],
  })
  await agree('ana', { tags: ['vip'], attributes: { birthday: '1990-11-21' } })
  await settle()
  clock.forward(days(1))
  await hold()
  for (const sequence of [birthday, vip]) {
    await resume(sequence)
    await lookAt(sequence)
    assert.deepEqual(await leftOf(sequence), [{ reason: 'in_doubt', count: 1 }])
  }
  await agree('bo', { tags: ['vip'], attributes: { birthday: '1990-11-22' } })
  await settle()
  clock.forward(days(1))
  for (const sequence of [birthday, vip]) await lookAt(sequence)
  assert.deepEqual(await names('ana'), [])
  assert.deepEqual((await names('bo')).toSorted(), ['Birthday', 'VIP'])
})

test('a mail that waited to be sent may have been sent', async () => {
  const { db, id, begin, template, agree, settle, hold } = await heldScene()
  await begin({ enter: { on: 'consent.given' }, steps: [await template('A')] })
  await agree('ana')
  await settle()
  const states = async () =>
    (
      await db.all<{ state: string }>(sql`
        select state from messages where business_id = ${id} order by id
      `)
    ).map(({ state }) => state)
  assert.deepEqual(await states(), ['queued'])
  await hold()
  assert.deepEqual(await states(), ['unknown'])
})
