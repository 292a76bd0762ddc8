/** A running sequence is edited while people are inside of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  decide,
  preview,
  type SavedSequence,
  sequenceScene,
  start,
} from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { sql } from '../lib/db/db.ts'
import { days } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { sequenceEnrol } from './enrol.ts'
import { sequenceGet } from './get.ts'
import { sequenceSave } from './save.ts'
import type { InsideChoice } from './sequence.ts'

let database: TestDatabase
const templates = createTemplates()
const save = sequenceSave({ templates })
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})
const scene = () => sequenceScene({ db: database.db, templates })

/** As many as stand before each of two steps when the new version starts. */
const half = 200

/** 400 people of version 1, half of them before its second mail and half before its third. */
async function withPeopleInside() {
  const all = await scene()
  const { begin, template, caller, person, pass, settle } = all
  const [one, two, three, four] = [
    await template('1'),
    await template('2'),
    await template('3'),
    await template('4'),
  ]
  const wait = { wait: '2 days' }
  const steps = [one, wait, two, wait, three]
  const enter = { on: 'tag.added', tag: 'customer' }
  const sequence_id = await begin({ enter, steps })
  for (const group of ['early', 'late']) {
    for (let n = 0; n < half; n++) {
      await caller.get(contactUpsert, {
        email: `${group}-${n}@example.com`,
        tags: [group],
        consent: { email: { status: 'subscribed', source: 'shop' } },
      })
    }
    const enrolled = { sequence_id, filter: { tag: group } }
    const { entered } = await person.get<{ entered: number }>(sequenceEnrol, enrolled)
    assert.equal(entered, half)
    await settle()
    if (group === 'early') await pass(days(2))
  }
  const next = [one, wait, three, four]
  await caller.get(save, { sequence_id, steps: next })
  return { ...all, sequence_id }
}

/** How many people of each group got which mails, in which order. */
async function mailsOf({ db, id }: Awaited<ReturnType<typeof scene>>) {
  const rows = await db.all<{ who: string; mails: string; people: number }>(sql`
    select who, mails, count(*)::int as people from (
      select split_part(m.recipient, '-', 1) as who, string_agg(t.name, ' ' order by m.id) as mails
      from messages m
      join templates t on t.business_id = m.business_id and t.id = m.template_id
      where m.business_id = ${id}
      group by m.recipient
    ) each
    group by 1, 2 order by 1, 2
  `)
  return rows.map(({ who, mails, people }) => `${people} ${who}: ${mails}`)
}

const outcomes: Record<InsideChoice, { mails: string[]; left: object[] }> = {
  finish: { mails: ['200 early: 1 2 3', '200 late: 1 2 3'], left: [] },
  // Who waits for a mail that is gone goes on with what followed it, at the time that they had.
  move: {
    mails: ['200 early: 1 2 3 4', '200 late: 1 3 4'],
    left: [{ reason: 'moved', count: 400 }],
  },
  end: {
    mails: ['200 early: 1 2', '200 late: 1'],
    left: [{ reason: 'ended', count: 400 }],
  },
}

for (const [inside, { mails, left }] of Object.entries(outcomes)) {
  test(`with 400 people inside, a new version starts, and they ${inside}`, async () => {
    const all = await withPeopleInside()
    const { sequence_id, person, agree, settle, pass, names, peopleOf } = all
    await person.get(start, { sequence_id, inside })
    assert.deepEqual((await peopleOf(sequence_id)).left, left)
    await agree('new', { tags: ['customer'] })
    await settle()
    for (let day = 0; day < 5; day++) await pass(days(1))
    const [...others] = (await mailsOf(all)).filter((line) => !line.includes('new'))
    assert.deepEqual(others, mails)
    const { inside: still, finished } = await peopleOf(sequence_id)
    // The newcomer alone is left where the others ended.
    assert.deepEqual([still, finished], [0, inside === 'end' ? 1 : 401])
    assert.deepEqual(await names('new'), ['1', '3', '4'])
  })
}

test('of two people who edit the same version, the second is told what the first changed', async () => {
  const { begin, template, caller } = await scene()
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    steps: [await template('Hello')],
  })
  const { version } = await caller.get<SavedSequence>(sequenceGet, { sequence_id })
  await caller.get(save, { sequence_id, if_version: version, exit: { tag: 'bought' } })
  const refused = await caller.refused(save, {
    sequence_id,
    if_version: version,
    steps: [await template('Bye')],
  })
  assert.equal(refused.code, 'conflict')
  const { exit } = await caller.get<{ exit: object }>(sequenceGet, { sequence_id })
  assert.deepEqual(exit, { tag: 'bought' })
})

test('an approver who refuses a new version leaves the running one as it is', async () => {
  const { begin, template, caller, person, agree, settle, pass, names, db, id } = await scene()
  const [one, two, other] = [await template('1'), await template('2'), await template('Other')]
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    steps: [one, { wait: '1 day' }, two],
  })
  await agree('ana')
  await settle()
  await db.run(sql`update businesses set deploy_limit = 0 where id = ${id}`)
  await caller.get(save, { sequence_id, steps: [other] })
  const { plan_hash } = await caller.get<{ plan_hash: string }>(preview, { sequence_id })
  const waiting = await caller.get<SavedSequence & { start_waits: boolean }>(start, {
    sequence_id,
    plan_hash,
    inside: 'end',
  })
  assert.deepEqual(
    [waiting.status, waiting.start_waits, waiting.approval_reason],
    ['running', true, 'deploy_limit'],
  )
  await agree('bo')
  await settle()
  const refused = await person.get<SavedSequence & { start_waits: boolean }>(decide, {
    sequence_id,
    decision: 'refuse',
  })
  assert.deepEqual(
    [refused.status, refused.start_waits, refused.running_version, refused.version],
    ['running', false, 1, 2],
  )
  await agree('cy')
  await pass(days(1))
  await pass(days(1))
  for (const name of ['ana', 'bo', 'cy']) assert.deepEqual(await names(name), ['1', '2'], name)
})
