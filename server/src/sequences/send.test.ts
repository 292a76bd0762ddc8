/** The mails of steps: when they go, and what they say. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SavedSequence, sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { refuse } from '../core/errors.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, minutes } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { sequenceGet } from './get.ts'
import { sequencePause } from './pause.ts'
import { sequenceResume } from './resume.ts'
import { sequenceSave } from './save.ts'
import { reasonOf } from './send.ts'
import { sequenceStop } from './stop.ts'
import { sequenceWhy } from './why.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})
const saveSequence = sequenceSave({ templates })
const scene = () => sequenceScene({ db: database.db, templates })

test('hours postpone mails, a pause holds them, and a resume does what fell due once', async () => {
  const { begin, template, agree, settle, pass, person, names, peopleOf } = await scene()
  const [first, second] = [await template('One'), await template('Two')]
  // It is 11:00 in Berlin.
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    hours: { from: '12:00', to: '13:00' },
    steps: [first, { wait: '1 day', until: '06:00' }, second],
  })
  await agree('ana')
  await settle()
  assert.deepEqual(await names('ana'), [])
  await pass(hours(1))
  assert.deepEqual(await names('ana'), ['One'])
  const paused = await person.get<SavedSequence>(sequencePause, { sequence_id })
  assert.deepEqual([paused.status, paused.pause_reason], ['paused', 'requested'])
  await agree('bo')
  await pass(days(1))
  assert.deepEqual([await names('ana'), (await peopleOf(sequence_id)).inside], [['One'], 2])
  await person.get(sequenceResume, { sequence_id })
  await settle()
  assert.deepEqual([await names('ana'), await names('bo')], [['One'], ['One']])
  await pass(days(1))
  assert.deepEqual(await names('ana'), ['One', 'Two'])
  await person.get(sequenceStop, { sequence_id })
  await agree('cy')
  await pass(days(3))
  assert.deepEqual([await names('bo'), await names('cy')], [['One'], []])
})

test('a mail that waits longer than it may is left out, and the others keep their distance', async () => {
  const { begin, template, agree, settle, pass, person, names, caller } = await scene()
  const [first, second] = [await template('One'), await template('Two')]
  // It is 11:00 in Berlin.
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    hours: { from: '18:00', to: '20:00' },
    wait_at_most: '6 hours',
    steps: [first, { wait: '1 day', until: '14:00' }, second],
  })
  const contact_id = await agree('ana')
  await settle()
  await pass(hours(7))
  assert.deepEqual(await names('ana'), [])
  await pass(hours(20))
  assert.deepEqual(await names('ana'), [])
  await pass(hours(4))
  assert.deepEqual(await names('ana'), ['Two'])
  const { entries } = await caller.get<{ entries: { steps: { reason: string | null }[] }[] }>(
    sequenceWhy,
    { sequence_id, contact_id },
  )
  assert.deepEqual(
    entries[0]?.steps.map(({ reason }) => reason),
    ['too_late', null, null],
  )
  // What fell due in a pause, too.
  await person.get(sequencePause, { sequence_id })
  await agree('bo')
  await pass(days(1))
  await person.get(sequenceResume, { sequence_id })
  await pass(days(1))
  assert.deepEqual(await names('bo'), [])
})

test('the words of a mail stand in the sequence itself, with the data of the event', async () => {
  const { begin, agree, settle, caller, got, db, id } = await scene()
  const content = { subject: 'Your {{ event.item }}', html: '<p>{{ event.item }} is waiting</p>' }
  const steps = [
    { split: [{ if: { tag: 'vip' }, steps: [{ send: { content } }] }] },
    { send: { content: { subject: 'For all', text: 'Hello' } } },
  ]
  const sequence_id = await begin({
    name: 'Carts',
    enter: { on: 'own_event', event: 'cart' },
    steps,
  })
  await agree('ana', { tags: ['vip'] })
  await caller.get(contactTrack, {
    events: [{ contact: { email: 'ana@example.com' }, event: 'cart', properties: { item: 'mug' } }],
  })
  await settle()
  const mails = await got('ana')
  assert.deepEqual(
    mails.map(({ name, variables }) => [name, variables.event]),
    [
      ['Carts, step 2', { item: 'mug' }],
      ['Carts, step 3', { item: 'mug' }],
    ],
  )
  const saved = await caller.get<{ steps: unknown }>(sequenceGet, { sequence_id })
  assert.ok(!JSON.stringify(saved.steps).includes('content'), 'the steps name their templates')
  const before = await templatesOf()
  const wrong = { send: { content: { subject: '{{ broken', html: '<p>A</p>' } } }
  await caller.refused(saveSequence, { sequence_id, steps: [steps[1], wrong] })
  assert.equal(await templatesOf(), before, 'a refused save makes no template')

  async function templatesOf() {
    const { n } = await db.one<{ n: number }>(sql`
      select count(*)::int as n from templates where business_id = ${id}
    `)
    return n
  }
})

test('with again: latest an entry that waits gets the data of the newer event', async () => {
  const { begin, agree, settle, pass, caller, got } = await scene()
  const send = { send: { content: { subject: 'Your cart', text: '{{ event.item }}' } } }
  await begin({
    enter: { on: 'own_event', event: 'cart', again: 'latest' },
    steps: [{ wait: '1 hour' }, send],
  })
  await agree('ana')
  const track = async (item: string) => {
    const contact = { email: 'ana@example.com' }
    await caller.get(contactTrack, { events: [{ contact, event: 'cart', properties: { item } }] })
    await settle()
  }
  await track('mug')
  await pass(minutes(30))
  await track('plate')
  await pass(minutes(30))
  assert.deepEqual(
    (await got('ana')).map(({ variables }) => variables.event),
    [{ item: 'plate' }],
  )
  await track('bowl')
  await pass(hours(1))
  assert.equal((await got('ana')).length, 2)
})

test('what refuses a mail is the reason of its step', () => {
  const reasons = [
    refuse('conflict', 'Left out.', { data: { suppressed: true } }),
    refuse('tier_required', 'No.', {}),
    refuse('rate_limited', 'Later.', {}),
    refuse('conflict', 'Another topic.', {}),
    refuse('too_large', 'Too large.', {}),
  ].map(reasonOf)
  assert.deepEqual(reasons, [
    'suppressed',
    'tier_quota',
    'tier_quota',
    'topic_not_chosen',
    'too_large',
  ])
})
