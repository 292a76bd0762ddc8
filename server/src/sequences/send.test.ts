/** The mails of steps: when they go, and what they say. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SavedSequence, sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { refuse } from '../core/errors.ts'
import { days, hours } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { sequencePause } from './pause.ts'
import { sequenceResume } from './resume.ts'
import { reasonOf } from './send.ts'
import { sequenceStop } from './stop.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})
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
