/** People go through sequences: who enters, what they get and when, and when they leave. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  decide,
  preview,
  type SavedSequence,
  sequenceScene,
  start,
} from '../../../tests/support/businesses/sequences.ts'
import { callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, minutes } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { templateSave } from '../templates/save.ts'
import { sequenceCopy } from './copy.ts'
import { sequenceDelete } from './delete.ts'
import { sequenceEnrol } from './enrol.ts'
import { sequenceGet } from './get.ts'
import { sequenceList } from './list.ts'
import { sequencePersonalData } from './personal-data.ts'
import { sequenceRemove } from './remove.ts'
import { sequenceResume } from './resume.ts'
import { sequenceSave } from './save.ts'
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

test('a welcome series greets at once, again after three days, and who unsubscribes leaves', async () => {
  const { begin, template, agree, settle, pass, caller, names, peopleOf, db, id } = await scene()
  const [first, second] = [await template('Welcome'), await template('Three days on')]
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    steps: [first, { wait: '3 days' }, second],
  })
  const ana = await agree('ana')
  await agree('bo')
  await settle()
  assert.deepEqual([await names('ana'), await names('bo')], [['Welcome'], ['Welcome']])
  await agree('ana', { name: 'Ana' })
  await pass(days(2))
  await caller.get(contactUpsert, {
    email: 'bo@example.com',
    consent: { email: { status: 'unsubscribed', source: 'shop' } },
  })
  await settle()
  assert.deepEqual((await peopleOf(sequence_id)).left, [{ reason: 'unsubscribed', count: 1 }])
  await pass(days(1) + minutes(1))
  assert.deepEqual(await names('ana'), ['Welcome', 'Three days on'])
  assert.deepEqual(await names('bo'), ['Welcome'])
  const people = await peopleOf(sequence_id)
  assert.deepEqual([people.inside, people.finished], [0, 1])
  const events = await db.all<{ type: string; body: string }>(sql`
    select type, body from events where business_id = ${id}
      and (type like 'sequence.%' or type = 'message.sent') order by created_at, id
  `)
  const types = events.map(({ type }) => type).sort()
  assert.deepEqual(types, [
    'message.sent',
    'message.sent',
    'message.sent',
    'sequence.entered',
    'sequence.entered',
    'sequence.finished',
    'sequence.left',
  ])
  const sent = events
    .filter(({ type }) => type === 'message.sent')
    .map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    sent.map(({ data }) => [data.sequence_id, data.step]).sort((a, b) => a[1] - b[1]),
    [
      [sequence_id, 1],
      [sequence_id, 1],
      [sequence_id, 3],
    ],
  )
  const why = await caller.get<{
    entries: { state: string; steps: { kind: string; at: string }[] }[]
  }>(sequenceWhy, { sequence_id, contact_id: ana })
  assert.deepEqual(
    why.entries.map(({ state, steps }) => [state, steps.map(({ kind }) => kind)]),
    [['finished', ['send', 'wait', 'send']]],
  )
})

test('each way of entering lets in whom its rule fits, once unless it says again', async () => {
  const { begin, template, agree, settle, pass, caller, got, peopleOf } = await scene()
  const mail = await template('Your cart')
  const tagged = await begin({ enter: { on: 'tag.added', tag: 'vip' }, steps: [{ tag: 'seen' }] })
  const cart = await begin({
    enter: {
      on: 'own_event',
      event: 'cart',
      where: { 'properties.total': { gt: 10 } },
      again: 'after 10 days',
      filter: { tag: 'vip' },
    },
    steps: [mail],
  })
  await agree('ana', { tags: ['vip'] })
  await agree('bo')
  await settle()
  const track = (name: string, total: number) =>
    caller.get(contactTrack, {
      events: [
        {
          contact: { email: `${name}@example.com` },
          event: 'cart',
          properties: { total, item: 'mug' },
        },
      ],
    })
  await track('ana', 5)
  await track('ana', 20)
  await track('ana', 30)
  await track('bo', 40)
  await settle()
  assert.equal((await peopleOf(tagged)).finished, 1)
  assert.deepEqual(
    (await got('ana')).map(({ variables }) => variables.event),
    [{ total: 20, item: 'mug' }],
  )
  assert.equal((await got('bo')).length, 0)
  await pass(days(9))
  await track('ana', 50)
  await settle()
  assert.equal((await got('ana')).length, 1)
  await pass(days(2))
  await track('ana', 60)
  await settle()
  assert.equal((await got('ana')).length, 2)
  assert.equal((await peopleOf(cart)).finished, 2)
})

test('steps wait for events, split by filters, skip, tag, set and stop', async () => {
  const { begin, template, agree, settle, pass, caller, names, peopleOf, db, id } = await scene()
  const [offer, thanks, reminder, late] = [
    await template('Offer'),
    await template('Thanks'),
    await template('Reminder'),
    await template('Late'),
  ]
  const bought = { did: 'order', since: 'entry' }
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    exit: { tag: 'out' },
    steps: [
      offer,
      {
        wait_for: {
          event: 'order',
          where: { 'properties.sku': { is: 'mug' } },
          up_to: '2 days',
        },
      },
      { split: [{ if: bought, steps: [thanks, { tag: 'customer' }] }, { steps: [reminder] }] },
      { set: { 'attributes.level': 2, language: 'de' } },
      { wait: '1 hour' },
      { stop_if: { tag: 'customer' } },
      { ...late, if: { field: 'attributes.level', op: 'gt', value: 1 } },
    ],
  })
  await agree('ana')
  await agree('bo')
  await agree('cy')
  await settle()
  const order = (name: string, sku: string) =>
    caller.get(contactTrack, {
      events: [{ contact: { email: `${name}@example.com` }, event: 'order', properties: { sku } }],
    })
  await pass(hours(1))
  await order('bo', 'pen')
  await order('ana', 'mug')
  await settle()
  assert.deepEqual(await names('ana'), ['Offer', 'Thanks'])
  assert.deepEqual(await names('bo'), ['Offer'])
  await caller.get(contactUpsert, { email: 'cy@example.com', tags: ['out'] })
  await pass(days(2))
  assert.deepEqual(await names('bo'), ['Offer', 'Thanks'])
  await pass(hours(2))
  const people = await peopleOf(sequence_id)
  assert.deepEqual(people.left, [
    { reason: 'exit', count: 1 },
    { reason: 'stop_if', count: 2 },
  ])
  const { language, attributes } = await db.one<{ language: string; attributes: object }>(sql`
    select language, attributes from contacts
    where business_id = ${id} and email = 'ana@example.com'
  `)
  assert.deepEqual([language, attributes], ['de', { level: 2 }])
  assert.deepEqual(await names('cy'), ['Offer'])
})

test('a program’s start needs the plan, waits above the limit, and a person approves it with bounds', async () => {
  const { caller, person, template, agree, settle, names, peopleOf, db, id } = await scene()
  const mail = await template('Hello')
  const { sequence_id } = await caller.get<SavedSequence>(saveSequence, {
    name: 'Hello',
    enter: { on: 'consent.given' },
    steps: [mail],
  })
  const unseen = await caller.get<SavedSequence>(start, { sequence_id })
  assert.deepEqual([unseen.status, unseen.approval_reason], ['awaiting_approval', 'no_plan_hash'])
  assert.ok(unseen.approval_url?.startsWith('https://app.example/b/'), unseen.approval_url)
  assert.ok(unseen.approval_url?.endsWith(`/automations/${sequence_id}`), unseen.approval_url)
  await agree('early')
  await settle()
  assert.deepEqual(await names('early'), [])
  interface Preview {
    plan_hash: string
    would_enter: { last_day: number; last_30_days: number }
    mails: { subject: string }[]
    gates: { result: string }[]
    calendar?: { kind: string; outcome: string }[]
  }
  const plan = await caller.get<Preview>(preview, { sequence_id })
  assert.deepEqual(plan.would_enter, {
    last_day: 1,
    last_30_days: 1,
    most_in_a_day: 1,
    from_imports: 0,
    at_least: false,
  })
  assert.ok(plan.gates.every(({ result }) => result === 'pass'))
  const drifted = await person.refused(decide, { sequence_id, decision: 'approve', plan_hash: 'x' })
  assert.equal(drifted.details.field, 'plan_hash')
  const approved = await person.get<SavedSequence>(decide, {
    sequence_id,
    decision: 'approve',
    plan_hash: plan.plan_hash,
    people_per_day: 1,
    for_days: 30,
  })
  assert.equal(approved.status, 'running')
  await agree('ana')
  await settle()
  assert.deepEqual(await names('ana'), ['Hello'])
  await agree('bo')
  await settle()
  const { status, pause_reason } = await caller.get<SavedSequence>(sequenceGet, { sequence_id })
  assert.deepEqual([status, pause_reason, await names('bo')], ['paused', 'approval', []])
  assert.equal((await caller.refused(sequenceResume, { sequence_id })).code, 'conflict')
  await person.get(sequenceResume, { sequence_id })
  await settle()
  assert.deepEqual(await names('bo'), ['Hello'])
  await db.run(sql`update businesses set deploy_limit = 0 where id = ${id}`)
  const { plan_hash } = await caller.get<Preview>(preview, { sequence_id })
  const again = await caller.get<SavedSequence>(start, { sequence_id, plan_hash })
  assert.equal(again.approval_reason, 'deploy_limit')
  assert.equal((await peopleOf(sequence_id)).finished, 2)
  await person.get(decide, { sequence_id, decision: 'refuse' })
})

test('an automation of an app whose links tell another host about recipients waits for a person', async () => {
  const { caller, person } = await scene()
  const startOf = async (name: string, href: string) => {
    const { template_id } = await caller.get<{ template_id: string }>(templateSave({ templates }), {
      name,
      subject: 'Hello',
      html: `<p><a href="${href}">Shop</a></p>`,
    })
    const { sequence_id } = await caller.get<SavedSequence>(saveSequence, {
      name,
      enter: { on: 'consent.given' },
      steps: [{ send: { template_id } }],
    })
    const plan = await caller.get<{
      plan_hash: string
      gates: { gate: string; result: string; findings?: object[] }[]
    }>(preview, { sequence_id })
    const ofLinks = plan.gates.find(({ gate }) => gate === 'links')
    const started = await caller.get<SavedSequence>(start, {
      sequence_id,
      plan_hash: plan.plan_hash,
    })
    return { sequence_id, plan, ofLinks, started }
  }
  const plain = await startOf('Plain', 'https://shop.example/')
  assert.deepEqual([plain.started.status, plain.ofLinks], ['running', undefined])
  const { sequence_id, plan, ofLinks, started } = await startOf(
    'Telling',
    'https://grab.example/?who={{ contact.email }}',
  )
  assert.deepEqual(
    [started.status, started.approval_reason],
    ['awaiting_approval', 'personal_links'],
  )
  assert.deepEqual(ofLinks?.findings, [{ finding: 'personal_hosts', hosts: ['grab.example'] }])
  const { plan_hash } = plan
  const approved = await person.get<SavedSequence>(decide, {
    sequence_id,
    decision: 'approve',
    plan_hash,
  })
  assert.equal(approved.status, 'running')
})

test('a new version lets those inside finish, or moves them to where their step leads', async () => {
  const { begin, caller, person, template, agree, settle, pass, names, peopleOf } = await scene()
  const [one, two, three] = [await template('1'), await template('2'), await template('3')]
  const enter = { on: 'consent.given' }
  const wait = { wait: '2 days' }
  const sequence_id = await begin({ enter, steps: [one, wait, two] })
  await agree('ana')
  await settle()
  const save = (steps: object[]) => caller.get<SavedSequence>(saveSequence, { sequence_id, steps })
  assert.equal((await save([one, wait, three])).running_version, 1)
  await person.get(start, { sequence_id })
  await agree('bo')
  await settle()
  await save([one, { wait: '1 day' }, { tag: 'x' }, three, two])
  await person.get(start, { sequence_id, inside: 'move' })
  await pass(days(2))
  assert.deepEqual(await names('ana'), ['1', '2'])
  assert.deepEqual(await names('bo'), ['1', '3', '2'])
  const people = await peopleOf(sequence_id)
  assert.deepEqual(people.left, [{ reason: 'moved', count: 2 }])
  await agree('cy')
  await settle()
  await save([three])
  await person.get(start, { sequence_id, inside: 'end' })
  await pass(days(9))
  assert.deepEqual(await names('cy'), ['1'])
})

test('people are let in and taken out by hand, a holdout gets nothing, and erasure ends it at once', async () => {
  const { begin, caller, person, template, agree, settle, pass, names, peopleOf, db, id, clock } =
    await scene()
  const [one, two] = [await template('A'), await template('B')]
  const sequence_id = await begin({
    enter: { on: 'tag.added', tag: 'never' },
    steps: [one, { wait: '1 day' }, two],
  })
  const contact_id = await agree('ana')
  await agree('bo', { tags: ['in'] })
  const enrolled = await person.get<object>(sequenceEnrol, { sequence_id, filter: { tag: 'in' } })
  assert.deepEqual(enrolled, { sequence_id, entered: 1, left_out: 0 })
  await person.get(sequenceEnrol, { sequence_id, contact_id })
  const twice = await person.get<object>(sequenceEnrol, { sequence_id, contact_id })
  assert.deepEqual(twice, { sequence_id, entered: 0, left_out: 1 })
  await settle()
  const removed = await caller.get<object>(sequenceRemove, { sequence_id, contact_id })
  assert.deepEqual(removed, { sequence_id, removed: 1 })
  const rows = await db.all<{ id: never }>(sql`
    select id from contacts where business_id = ${id} and email = 'bo@example.com'
  `)
  const contactIds = rows.map((row) => row.id)
  await db.tx((tx) =>
    sequencePersonalData.forget(tx, { businessId: id, contactIds, addresses: [] }, clock.now()),
  )
  await pass(days(2))
  assert.deepEqual([await names('ana'), await names('bo')], [['A'], ['A']])
  assert.deepEqual((await peopleOf(sequence_id)).left, [
    { reason: 'erased', count: 1 },
    { reason: 'removed', count: 1 },
  ])
  const half = await begin({
    enter: { on: 'tag.added', tag: 'half' },
    holdout: 50,
    steps: [one],
  })
  for (let n = 0; n < 30; n++) await agree(`h${n}`, { tags: ['half'] })
  await settle()
  const { holdout, finished } = await peopleOf(half)
  assert.equal(holdout + finished, 30)
  assert.ok(holdout >= 5 && holdout <= 25, `${holdout} of 30`)
})

for (const kind of ['marketing', 'transactional'] as const) {
  test(`whom an app lets anew into a ${kind} automation counts, and whom a key lets in does not`, async () => {
    const { begin, caller, template, agree, db, id, clock } = await scene()
    const enter = { on: 'tag.added', tag: 'never' }
    const sequence_id = await begin({ kind, enter, steps: [await template('A')] })
    const ana = await agree('ana', { tags: ['in'] })
    for (const name of ['bo', 'cy']) await agree(name, { tags: ['in'] })
    await db.run(sql`update businesses set deploy_limit = 2 where id = ${id}`)
    const everybody = { sequence_id, filter: { tag: 'in' } }
    const { code, details } = await caller.refused(sequenceEnrol, everybody)
    assert.deepEqual([code, details.data?.['reason']], ['conflict', 'approval_limit'])
    const entered = async (by: typeof caller, whom: object) =>
      (await by.get<{ entered: number }>(sequenceEnrol, whom)).entered
    assert.equal(await entered(caller, { sequence_id, contact_id: ana }), 1)
    assert.equal(await entered(caller, { sequence_id, contact_id: ana }), 0)
    const key = callerIn({ db, clock }, id, { isApiKey: true })
    assert.equal(await entered(key, everybody), 2)
    assert.equal(await entered(caller, everybody), 0, 'all are inside')
  })
}

test('drafts are saved, listed, copied and deleted, and what runs is not deleted', async () => {
  const { begin, caller, template } = await scene()
  const mail = await template('A')
  const draft = { name: 'Draft', enter: { on: 'consent.given' }, steps: [mail] }
  const { sequence_id } = await caller.get<SavedSequence>(saveSequence, {
    ...draft,
    exit: { tag: 'x' },
  })
  assert.equal((await caller.refused(saveSequence, draft)).details.field, 'name')
  const cleared = await caller.get<{ exit?: object; version: number }>(saveSequence, {
    sequence_id,
    exit: null,
    if_version: 1,
  })
  assert.deepEqual([cleared.exit, cleared.version], [undefined, 2])
  const stale = await caller.refused(saveSequence, { sequence_id, name: 'Other', if_version: 1 })
  assert.equal(stale.code, 'conflict')
  const unknown = { send: { template_id: `tpl_${'0'.repeat(26)}` } }
  const missing = await caller.refused(saveSequence, { sequence_id, steps: [unknown] })
  assert.equal(missing.code, 'not_found')
  const copy = await caller.get<SavedSequence & { name: string }>(sequenceCopy, { sequence_id })
  assert.equal(copy.name, 'Draft (copy)')
  const second = await caller.get<SavedSequence & { name: string }>(sequenceCopy, {
    sequence_id: copy.sequence_id,
  })
  assert.equal(second.name, 'Draft (copy 2)')
  await caller.get(sequenceDelete, { sequence_id: second.sequence_id })
  const running = await begin({ enter: { on: 'consent.given' }, steps: [mail] })
  const refusal = await caller.refused(sequenceDelete, { sequence_id: running })
  assert.equal(refusal.code, 'conflict')
  assert.match(refusal.message, / Possible are sequence\.save, sequence\.start, .*sequence\.why\.$/)
  await caller.get(sequenceDelete, { sequence_id })
  await caller.get(sequenceDelete, { sequence_id })
  const { sequences } = await caller.get<{ sequences: SavedSequence[] }>(sequenceList, {})
  assert.deepEqual(
    sequences.map((sequence) => sequence.sequence_id),
    [running, copy.sequence_id],
  )
})
