/** Entry by a date, in each person's zone, and by coming into a segment. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { preview, sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { segmentSave } from '../contacts/segments/save.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, minutes } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { look, lookJobs } from './look.ts'
import { sequenceSave } from './save.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

/** A scene whose sequences are looked at by hand, every so many minutes. */
async function lookingScene() {
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock, settle } = scene
  const deps = { db, clock, hmac: testVault.hmac, wake: () => undefined }
  return {
    ...scene,
    async lookFor(sequence_id: string, milliseconds: number, every = hours(1)) {
      const sequenceId = parseId('sequence', sequence_id)
      assert.ok(sequenceId)
      for (let passed = 0; passed < milliseconds; passed += every) {
        clock.forward(every)
        await settle()
        await look(deps, { businessId: id, sequenceId })
        await settle()
      }
    },
    /** When each person entered, by their name, in UTC. */
    async entered(sequence_id: string) {
      const rows = await db.all<{ email: string; at: Date }>(sql`
        select c.email, e.entered_at as at from sequence_entries e
        join contacts c on c.business_id = e.business_id and c.id = e.contact_id
        where e.business_id = ${id} and e.sequence_id = ${parseId('sequence', sequence_id) ?? null}
        order by e.entered_at, c.email
      `)
      return rows.map(({ email, at }) => [email.split('@')[0], at.toISOString().slice(0, 16)])
    },
  }
}

test('more people than one transaction takes have the date, and do not fit the filter', async () => {
  const { begin, template, agree, lookFor, entered, db, id } = await lookingScene()
  const sequence_id = await begin({
    enter: { on: 'date', field: 'birthday', yearly: true, filter: { tag: 'vip' } },
    steps: [await template('Happy birthday')],
  })
  await agree('ana', { attributes: { birthday: '1990-11-21' } })
  await db.run(sql`
    insert into contacts select (jsonb_populate_record(c, jsonb_build_object(
      'id', (substr(c.id::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid,
      'email', 'copy-' || n || '@example.com'))).*
    from contacts c, generate_series(1, 1100) as n where c.business_id = ${id}
  `)
  await agree('last', { tags: ['vip'], attributes: { birthday: '1990-11-21' } })
  await lookFor(sequence_id, hours(24), hours(24))
  assert.deepEqual(await entered(sequence_id), [['last', '2026-11-21T10:00']])
})

test('a birthday lets each person in at their own morning, once a year', async () => {
  const { begin, template, agree, lookFor, entered, names, caller } = await lookingScene()
  const mail = await template('Happy birthday')
  // It is 20 November 2026, 11:00 in Berlin, whose business this is.
  const sequence_id = await begin({
    enter: { on: 'date', field: 'birthday', yearly: true },
    steps: [mail],
  })
  const born = (name: string, birthday: string, zone?: string) =>
    agree(name, { attributes: { birthday, ...(zone && { time_zone: zone }) } })
  await born('berlin', '1990-11-22')
  await born('tokyo', '1985-11-22', 'Asia/Tokyo')
  await born('denver', '2001-11-22', 'America/Denver')
  await born('today', '1990-11-20')
  await born('wrong', 'in 1990-11-22')
  await lookFor(sequence_id, hours(36), hours(12))
  await lookFor(sequence_id, hours(20))
  const expected = [
    ['tokyo', '2026-11-22T00:00'],
    ['berlin', '2026-11-22T08:00'],
    ['denver', '2026-11-22T16:00'],
  ]
  assert.deepEqual(await entered(sequence_id), expected)
  // Who moves to the west that day has their birthday once.
  await caller.get(contactUpsert, {
    email: 'tokyo@example.com',
    attributes: { time_zone: 'America/Denver' },
  })
  await lookFor(sequence_id, hours(12), hours(4))
  assert.equal((await entered(sequence_id)).length, 3)
  await lookFor(sequence_id, days(364), days(28))
  await lookFor(sequence_id, days(2), hours(12))
  const years = (await entered(sequence_id)).map(([name, at = '']) => `${name} ${at.slice(0, 4)}`)
  assert.deepEqual(
    years.filter((text) => text.startsWith('berlin')),
    ['berlin 2026', 'berlin 2027'],
  )
  assert.deepEqual(await names('berlin'), ['Happy birthday', 'Happy birthday'])
})

test('an entry stands before or after a date, and fits its filter', async () => {
  const { begin, template, agree, lookFor, entered } = await lookingScene()
  const mail = await template('Your trial ends')
  const sequence_id = await begin({
    enter: {
      on: 'date',
      field: 'attributes.trial_ends',
      offset: '-3 days',
      at: '18:30',
      filter: { tag: 'trial' },
    },
    steps: [mail],
  })
  await agree('in', { tags: ['trial'], attributes: { trial_ends: '2026-11-25T12:00:00Z' } })
  await agree('out', { attributes: { trial_ends: '2026-11-25' } })
  await agree('past', { tags: ['trial'], attributes: { trial_ends: '2026-11-22' } })
  await lookFor(sequence_id, days(2), days(1))
  await lookFor(sequence_id, hours(10), minutes(30))
  assert.deepEqual(await entered(sequence_id), [['in', '2026-11-22T17:30']])
})

test('who comes into a segment enters within minutes of a change, or a day of time alone', async () => {
  const { begin, template, agree, lookFor, entered, caller, db, id } = await lookingScene()
  const mail = await template('A gift')
  const { segment_id } = await caller.get<{ segment_id: string }>(segmentSave, {
    name: `Big ${randomUUID()}`,
    filter: {
      or: [{ tag: 'big' }, { field: 'attributes.quiet_since', op: 'older_than', value: '10 days' }],
    },
  })
  await agree('before', { tags: ['big'] })
  await agree('later')
  await agree('quiet', { attributes: { quiet_since: '2026-11-11' } })
  const sequence_id = await begin({
    enter: { on: 'segment.entered', segment_id, again: 'each time' },
    steps: [mail],
  })
  await caller.get(contactUpsert, { email: 'later@example.com', tags: ['big'] })
  // A later save of the segment changes nothing for who enters by this version.
  await caller.get(segmentSave, { segment_id, filter: { tag: 'nobody' } })
  await lookFor(sequence_id, minutes(5), minutes(5))
  assert.deepEqual(await entered(sequence_id), [['later', '2026-11-20T10:05']])
  await lookFor(sequence_id, days(3), hours(8))
  const all = await entered(sequence_id)
  assert.deepEqual(
    all.map(([name]) => name),
    ['later', 'quiet'],
  )
  // Who leaves the segment and comes back enters again, where the rule says so.
  await caller.get(contactUpsert, { email: 'later@example.com', remove_tags: ['big'] })
  await lookFor(sequence_id, minutes(5), minutes(5))
  await caller.get(contactUpsert, { email: 'later@example.com', tags: ['big'] })
  await lookFor(sequence_id, minutes(5), minutes(5))
  assert.equal((await entered(sequence_id)).length, 3)
  await db.run(sql`
    update sequences set status = 'stopped' where business_id = ${id}
  `)
  await caller.get(contactUpsert, { email: 'more@example.com', tags: ['big'] })
  await lookFor(sequence_id, days(1), hours(12))
  assert.equal((await entered(sequence_id)).length, 3)
})

test('a preview counts whom dates and a segment would have let in', async () => {
  const { caller, template, agree, clock } = await lookingScene()
  const mail = await template('Hello')
  const would = async (enter: object) => {
    const name = JSON.stringify(enter).slice(0, 90)
    const draft = { name, enter, steps: [mail] }
    const { sequence_id } = await caller.get<{ sequence_id: string }>(
      sequenceSave({ templates }),
      draft,
    )
    const { would_enter, mails_per_day } = await caller.get<{
      would_enter: Record<string, unknown>
      mails_per_day: number
    }>(preview, { sequence_id })
    return [...Object.values(would_enter), mails_per_day]
  }
  // It is 20 November 2026, 11:00 in Berlin, whose business this is.
  const birthdays = { a: '11-20', b: '11-05', c: '11-05', tooOld: '10-15', soon: '11-25' }
  for (const [name, day] of Object.entries(birthdays)) {
    await agree(name.toLowerCase(), { attributes: { birthday: `1990-${day}` }, tags: ['vip'] })
  }
  const birthday = { on: 'date', field: 'birthday', yearly: true }
  assert.deepEqual(await would(birthday), [1, 3, 2, 0, false, 2])
  assert.deepEqual(await would({ ...birthday, filter: { tag: 'none' } }), [0, 0, 0, 0, false, 0])
  assert.deepEqual(await would({ ...birthday, offset: '-5 days' }), [1, 4, 2, 0, false, 2])
  const { segment_id } = await caller.get<{ segment_id: string }>(segmentSave, {
    name: 'VIPs',
    filter: { tag: 'vip' },
  })
  const entering = { on: 'segment.entered', segment_id }
  assert.deepEqual(await would(entering), [5, 5, 5, 0, true, 5])
  clock.forward(days(31))
  await agree('new', { tags: ['vip'] })
  await agree('other')
  assert.deepEqual(await would({ ...entering, again: 'each time' }), [1, 1, 1, 0, true, 1])
})

test('a job that a clock queued too far ahead is overtaken by the next look', async () => {
  const { begin, template, agree, settle, caller, names, clock, db, id } = await lookingScene()
  const enter = { on: 'tag.added', tag: 'a' }
  await begin({ enter, steps: [{ wait: '1 hour' }, await template('Mail')] })
  await agree('ana')
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['a'] })
  await settle()
  // The clock of the node that queued it was a day ahead.
  await db.run(sql`
    update sequence_wakes set wake_at = wake_at + interval '1 day' where business_id = ${id}
  `)
  await db.run(sql`
    update jobs set due_at = due_at + interval '1 day' where kind = 'sequence.run'
  `)
  clock.forward(hours(2))
  await settle()
  assert.deepEqual(await names('ana'), [])
  const jobs = lookJobs({ db, clock, hmac: testVault.hmac, wake: () => undefined })
  await jobs['sequence.look']?.run({} as never, new AbortController().signal)
  await settle()
  assert.deepEqual(await names('ana'), ['Mail'])
  clock.forward(days(2))
  await settle()
  assert.deepEqual(await names('ana'), ['Mail'])
})
