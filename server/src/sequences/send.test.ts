/** The mails of steps: when they go, and what they say. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  preview,
  type SavedSequence,
  sequenceScene,
} from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { contactUpsert } from '../contacts/upsert.ts'
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
      ['Carts · 2', { item: 'mug' }],
      ['Carts · 3', { item: 'mug' }],
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

test('the words of a step have translations, as those of a template', async () => {
  const { begin, agree, settle, caller, names, db, id } = await scene()
  const content = {
    subject: 'Hello',
    html: '<p>Hello</p>',
    translations: { de: { subject: 'Hallo', html: '<p>Hallo</p>' } },
  }
  await begin({ name: 'Greeting', enter: { on: 'consent.given' }, steps: [{ send: { content } }] })
  await agree('ana')
  await settle()
  assert.deepEqual(await names('ana'), ['Greeting · 1'])
  const { subject } = await db.one<{ subject: string }>(sql`
    select v.source #>> '{translations,de,subject}' as subject from messages m
    join template_versions v on v.business_id = m.business_id and v.id = m.template_version_id
    where m.business_id = ${id}
  `)
  assert.equal(subject, 'Hallo')
  const wrong = { ...content, translations: { 'no language': { subject: 'A' } } }
  const refusal = await caller.refused(saveSequence, {
    name: 'Wrong',
    enter: { on: 'consent.given' },
    steps: [{ send: { content: wrong } }],
  })
  assert.equal(refusal.code, 'invalid_request')
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

test('a text goes to whom it may reach, by day, and others go on without it', async () => {
  const { begin, agree, settle, pass, caller, textTemplate, template, got, db, id } = await scene()
  const yes = { status: 'subscribed', source: 'shop' }
  const both = { consent: { email: yes, sms: yes } }
  const text = await textTemplate('Hello {{ event.item }}')
  const sequence_id = await begin({
    enter: { on: 'own_event', event: 'cart' },
    steps: [text, await template('Mail')],
  })
  const ana = await agree('ana', { phone: '+4915112345678', ...both })
  const bo = await agree('bo')
  const cy = await agree('cy', { phone: '+4915112345679' })
  const track = async (name: string) => {
    const contact = { email: `${name}@example.com` }
    const properties = { item: 'mug' }
    await caller.get(contactTrack, { events: [{ contact, event: 'cart', properties }] })
  }
  const texts = () =>
    db.all(sql`
      select m.recipient, m.segments, m.kind, c.variables from messages m
      join message_contents c on c.business_id = m.business_id and c.message_id = m.id
      where m.business_id = ${id} and m.channel = 'sms' order by m.id
    `)
  // It is 11:00 in Berlin, and then 21:00.
  await pass(hours(10))
  for (const name of ['ana', 'bo', 'cy']) await track(name)
  await settle()
  assert.deepEqual(await texts(), [])
  assert.deepEqual(
    [(await got('ana')).length, (await got('bo')).length, (await got('cy')).length],
    [0, 1, 1],
  )
  const { calendar } = await caller.get<{ calendar: { at: string }[] }>(preview, {
    sequence_id,
    contact_id: ana,
  })
  assert.match(calendar[0]?.at ?? '', /T09:00:00/)
  await pass(hours(12))
  const variables = { event: { item: 'mug' } }
  assert.deepEqual(await texts(), [
    { recipient: '+4915112345678', segments: 1, kind: 'marketing', variables },
  ])
  assert.equal((await got('ana')).length, 1)
  const reasonOf = async (contact_id: string) => {
    const { entries } = await caller.get<{ entries: { steps: { reason: string | null }[] }[] }>(
      sequenceWhy,
      { sequence_id, contact_id },
    )
    return entries[0]?.steps.map(({ reason }) => reason)
  }
  assert.deepEqual(await reasonOf(bo), ['no_phone', null])
  assert.deepEqual(await reasonOf(cy), ['no_consent', null])
  const mail = { ...(await template('Other')), channel: 'sms' }
  const wrong = { name: 'Wrong', enter: { on: 'consent.given' }, steps: [mail] }
  assert.match((await caller.refused(saveSequence, wrong)).message, /is a mail/)
  const without = { ...wrong, steps: [{ send: text.send }] }
  assert.match((await caller.refused(saveSequence, without)).message, /needs channel: sms/)
})

test('who leaves a channel leaves what sends on it alone, and gets the rest of what does not', async () => {
  const { begin, agree, settle, pass, template, textTemplate, names, peopleOf, caller } =
    await scene()
  const yes = { status: 'subscribed', source: 'shop' }
  const enter = { on: 'tag.added', tag: 'go' }
  const [mail, text] = [await template('Mail'), await textTemplate('Text')]
  const wait = { wait: '1 day' }
  const both = await begin({ enter, steps: [wait, text, mail] })
  const texting = await begin({ enter, steps: [wait, text] })
  const mailing = await begin({ enter, steps: [wait, mail] })
  const phone = '+4915112345678'
  await agree('ana', { phone, consent: { email: yes, sms: yes } })
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['go'] })
  await settle()
  const no = { status: 'unsubscribed', source: 'phone call' }
  await caller.get(contactUpsert, { email: 'ana@example.com', consent: { sms: no } })
  await settle()
  const inside = async (sequence_id: string) => (await peopleOf(sequence_id)).inside
  assert.deepEqual([await inside(both), await inside(texting), await inside(mailing)], [1, 0, 1])
  await pass(days(1))
  assert.deepEqual(await names('ana'), ['Mail', 'Mail'])
})

test('a step ends the consent of who is still there, and whoever has come back stays', async () => {
  const { begin, agree, settle, pass, template, names, caller, peopleOf, db, id } = await scene()
  const [first, last] = [await template('Still there?'), await template('Never')]
  const sequence_id = await begin({
    enter: { on: 'tag.added', tag: 'quiet' },
    exit: { tag: 'back' },
    steps: [first, { wait: '7 days' }, { tag: 'let-go' }, { unsubscribe: {} }, last],
  })
  await agree('ana')
  await agree('bo')
  for (const name of ['ana', 'bo']) {
    await caller.get(contactUpsert, { email: `${name}@example.com`, tags: ['quiet'] })
  }
  await settle()
  await caller.get(contactUpsert, { email: 'bo@example.com', tags: ['back'] })
  await pass(days(7))
  const rows = await db.all<{ name: string; status: string; tags: string[] }>(sql`
    select split_part(email, '@', 1) as name, email_consent as status, tags from contacts
    where business_id = ${id} order by 1
  `)
  assert.deepEqual(rows, [
    { name: 'ana', status: 'unsubscribed', tags: ['let-go', 'quiet'] },
    { name: 'bo', status: 'subscribed', tags: ['back', 'quiet'] },
  ])
  assert.deepEqual(await names('ana'), ['Still there?'])
  const left = (await peopleOf(sequence_id)).left.map(({ reason }) => reason).sort()
  assert.deepEqual(left, ['exit', 'unsubscribed'])
  const { source } = await db.one<{ source: string }>(sql`
    select source from consent_events where business_id = ${id} and action = 'unsubscribed'
  `)
  assert.match(source, /^automation: S /)
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
