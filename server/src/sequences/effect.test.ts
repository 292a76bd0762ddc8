/** What a sequence with a goal brings about, compared with those who are held out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Random, seededRandom } from '../../../tests/crash/support/random.ts'
import {
  type SavedSequence,
  sequenceScene,
  start,
} from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { type Id, type Noun, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { sequenceDelete } from './delete.ts'
import { type Group, intervalOf, showsOf } from './effect.ts'
import { isHeldOut } from './enter.ts'
import { sequenceGet } from './get.ts'
import { sequencePause } from './pause.ts'
import { sequencePersonalData } from './personal-data.ts'
import { sequenceSave } from './save.ts'
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

interface Effect {
  treated: Group
  held_out: Group
  waiting: number
  within: string
  since: string
  shows: string
  summary: string
  points?: { from: number; to: number }
}

const experiments = Number(process.env['EXPERIMENTS'] ?? 300)
/** The same people in each run: of ten others, one would find a share above its bound by chance. */
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_130)

interface Experiment {
  people: number
  /** Percent held out. */
  holdout: number
  /** The chance of the goal without the sequence, and what it adds. */
  base: number
  adds: number
}

const between = (random: Random, from: number, to: number) => from + random.next() * (to - from)

const idFrom = <Kind extends Noun>(random: Random) =>
  Array.from({ length: 4 }, () => random.whole(0, 2 ** 32 - 1).toString(16)).join('-') as Id<Kind>

/** Assigns people as entering does, and lets each reach the goal by chance. */
function outcomeOf(random: Random, { people, holdout, base, adds }: Experiment) {
  const sequenceId = idFrom<'sequence'>(random)
  const groups = { treated: { people: 0, reached: 0 }, heldOut: { people: 0, reached: 0 } }
  for (let n = 0; n < people; n++) {
    const isOut = isHeldOut(sequenceId, idFrom<'contact'>(random), holdout)
    const group = isOut ? groups.heldOut : groups.treated
    group.people += 1
    if (random.next() < base + (isOut ? 0 : adds)) group.reached += 1
  }
  return groups
}

test('in simulated experiments the interval holds the truth, and no effect is seldom taken for one', (t) => {
  const random = seededRandom(seed)
  const tally = { judged: 0, covered: 0, without: 0, claimed: 0, few: 0, seen: 0 }
  for (let n = 0; n < experiments; n++) {
    const adds = n % 2 === 0 ? 0 : between(random, -0.02, 0.1)
    const { treated, heldOut } = outcomeOf(random, {
      people: Math.round(between(random, 300, 6_000)),
      holdout: Math.round(between(random, 5, 50)),
      base: between(random, 0.03, 0.4),
      adds,
    })
    const interval = intervalOf(treated, heldOut)
    if (!interval) {
      tally.few += 1
      continue
    }
    tally.judged += 1
    if (interval.from <= 100 * adds && interval.to >= 100 * adds) tally.covered += 1
    const claims = showsOf(interval) !== 'no_difference'
    if (adds === 0) {
      tally.without += 1
      if (claims) tally.claimed += 1
    } else if (claims) tally.seen += 1
  }
  const coverage = tally.covered / tally.judged
  const claims = tally.claimed / tally.without
  t.diagnostic(
    `${experiments} experiments: the interval held the truth in ${(100 * coverage).toFixed(1)} %, claimed an effect without one in ${(100 * claims).toFixed(1)} %, saw one of ${tally.judged - tally.without} in ${tally.seen}, had too few people in ${tally.few}`,
  )
  assert.ok(coverage >= 0.93 && coverage <= 0.97, `${coverage}`)
  assert.ok(claims <= 0.06, `${claims}`)
  assert.ok(tally.seen > tally.judged / 10, `${tally.seen} effects were seen`)
  assert.ok(tally.few < experiments / 10, `${tally.few} had too few people`)
})

test('an interval needs people of both kinds, and lies as published examples do', () => {
  const none = { people: 49, reached: 20 }
  assert.equal(intervalOf({ people: 500, reached: 100 }, none), undefined)
  assert.equal(intervalOf({ people: 500, reached: 9 }, { people: 50, reached: 0 }), undefined)
  assert.equal(intervalOf({ people: 500, reached: 500 }, { people: 50, reached: 45 }), undefined)
  // Newcombe 1998, table II, (a): 56/70 and 48/80.
  const { from, to } = intervalOf({ people: 70, reached: 56 }, { people: 80, reached: 48 }) ?? {
    from: 0,
    to: 0,
  }
  assert.deepEqual([from.toFixed(2), to.toFixed(2)], ['5.24', '33.39'])
})

test('everybody counts once as first assigned, equally long, whatever they got', async () => {
  const { begin, template, agree, settle, pass, caller, names, peopleOf } = await sequenceScene({
    db: database.db,
    templates,
  })
  const mail = await template('Offer')
  const sequence_id = await begin({
    enter: { on: 'own_event', event: 'cart', again: 'after 2 days' },
    goal: { did: 'order', since: 'entry' },
    goal_within: '7 days',
    holdout: 50,
    steps: [{ ...mail, if: { tag: 'wanted' } }, { wait: '3 days' }, mail],
  })
  const people = Array.from({ length: 24 }, (_, n) => `p${n}`)
  for (const name of people) await agree(name, n2(name) ? { tags: ['wanted'] } : {})
  const track = (who: readonly string[], event: string) =>
    caller.get(contactTrack, {
      events: who.map((name) => ({ contact: { email: `${name}@example.com` }, event })),
    })
  // Orders before the entry count for nobody.
  await track(people, 'order')
  await pass(hours(1))
  await track(people, 'cart')
  await settle()
  const effect = async () =>
    (await caller.get<{ effect: Effect }>(sequenceGet, { sequence_id })).effect
  const { holdout } = await peopleOf(sequence_id)
  assert.ok(holdout > 4 && holdout < 20, `${holdout} of 24`)
  assert.equal((await effect()).waiting, 24)
  await pass(days(2))
  const mailed = await Promise.all(people.map(names))
  const treated = people.filter((_, n) => n2(people[n] ?? '') && mailed[n]?.length === 1)
  assert.ok(treated.length > 0)
  // Half order in time, and the others late or never.
  const soon = people.filter((_, n) => n % 2 === 0)
  await track(soon, 'order')
  // Another entry of those who are through counts nobody twice.
  await pass(days(2))
  await track(people, 'cart')
  await settle()
  // Those who unsubscribe got nothing more, and count as they were assigned.
  for (const name of people.slice(0, 4)) {
    await caller.get(contactUpsert, {
      email: `${name}@example.com`,
      consent: { email: { status: 'unsubscribed', source: 'shop' } },
    })
  }
  await pass(days(3) + hours(1))
  await track(people, 'order')
  const judged = await effect()
  assert.equal(judged.waiting, 0)
  assert.deepEqual(
    [judged.treated.people + judged.held_out.people, judged.held_out.people],
    [24, holdout],
  )
  assert.equal(judged.treated.reached + judged.held_out.reached, soon.length)
  assert.equal(judged.shows, 'not_enough_people')
  assert.match(judged.summary, /^Not enough people yet: of \d+ who got it/)
})

/** Whether the person has the tag. */
const n2 = (name: string) => Number(name.slice(1)) % 2 === 0

test('the goal is judged while a sequence is paused, stopped, or has a next version', async () => {
  const { begin, template, agree, settle, pass, caller, person } = await sequenceScene({
    db: database.db,
    templates,
  })
  const steps = [await template('One'), { wait: '20 days' }, await template('Two')]
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    goal: { tag: 'customer' },
    goal_within: '3 days',
    holdout: 50,
    steps,
  })
  const effect = async () =>
    (await caller.get<{ effect: Effect }>(sequenceGet, { sequence_id })).effect
  const sum = async () => {
    const { treated, held_out: heldOut, waiting } = await effect()
    return [treated.people + heldOut.people, treated.reached + heldOut.reached, waiting]
  }
  const enterAll = async (names: readonly string[]) => {
    for (const name of names) await agree(name)
    await settle()
  }
  await enterAll(['a1', 'a2', 'a3'])
  await caller.get(contactUpsert, { email: 'a1@example.com', tags: ['customer'] })
  await person.get(sequencePause, { sequence_id })
  await pass(days(3))
  assert.deepEqual(await sum(), [3, 1, 0])
  await caller.get<SavedSequence>(sequenceSave({ templates }), {
    sequence_id,
    steps: [...steps, { tag: 'end' }],
  })
  await person.get(start, { sequence_id, inside: 'move' })
  await settle()
  await enterAll(['b1', 'b2'])
  assert.deepEqual(await sum(), [3, 1, 2])
  await caller.get(contactUpsert, { email: 'b2@example.com', tags: ['customer'] })
  await person.get(sequenceStop, { sequence_id })
  await pass(days(3))
  assert.deepEqual(await sum(), [5, 2, 0])
})

test('only people of the running goal, time and share count, and the answer says since when', async () => {
  const { begin, template, agree, settle, pass, caller, person, clock } = await sequenceScene({
    db: database.db,
    templates,
  })
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    goal: { tag: 'customer' },
    goal_within: '3 days',
    holdout: 50,
    steps: [await template('One')],
  })
  const effect = async () => {
    const { effect } = await caller.get<{ effect: Effect }>(sequenceGet, { sequence_id })
    const { treated, held_out: heldOut, waiting, within, since } = effect
    return [treated.people + heldOut.people, waiting, within, since]
  }
  const change = async (input: object) => {
    await caller.get<SavedSequence>(sequenceSave({ templates }), { sequence_id, ...input })
  }
  const restart = async () => {
    await pass(hours(1))
    await person.get(start, { sequence_id, inside: 'move' })
    return clock.now().toISOString()
  }
  const enter = async (name: string) => {
    await agree(name)
    await settle()
  }
  const first = clock.now().toISOString()
  await enter('a1')
  await change({ goal: { tag: 'other' }, goal_within: '5 days' })
  assert.deepEqual(await effect(), [0, 1, '3 days', first], 'saved, and not started')
  const second = await restart()
  await enter('b1')
  await enter('b2')
  assert.deepEqual(await effect(), [0, 2, '5 days', second])
  await change({ holdout: 20 })
  const third = await restart()
  await enter('c1')
  assert.deepEqual(await effect(), [0, 1, '5 days', third])
  await change({ exit: { tag: 'out' } })
  await restart()
  await enter('d1')
  assert.deepEqual(await effect(), [0, 2, '5 days', third], 'another exit asks the same')
  await change({ holdout: 50 })
  const fifth = await restart()
  await pass(days(5))
  assert.deepEqual(await effect(), [0, 0, '5 days', fifth], 'an earlier share again begins anew')
})

test('more people than one turn judges are all judged, and who was erased counts as neither', async () => {
  const { begin, template, agree, settle, pass, caller, db, id } = await sequenceScene({
    db: database.db,
    templates,
  })
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    goal: { tag: 'customer' },
    goal_within: '3 days',
    holdout: 50,
    steps: [await template('One')],
  })
  const people: string[] = []
  for (let n = 0; n < 25; n++) people.push(await agree(`p${n}`, { tags: ['customer'] }))
  await settle()
  const [merged, erased] = people.map((text) => parseId('contact', text))
  assert.ok(merged && erased)
  await db.run(
    sql`delete from sequence_entries where business_id = ${id} and contact_id = ${merged}`,
  )
  await db.tx((tx) =>
    sequencePersonalData.forget(
      tx,
      { businessId: id, contactIds: [erased], addresses: [] },
      new Date(),
    ),
  )
  await pass(days(3))
  const { effect } = await caller.get<{ effect: Effect }>(sequenceGet, { sequence_id })
  const { treated, held_out: heldOut, waiting } = effect
  assert.deepEqual(
    [treated.people + heldOut.people, treated.reached + heldOut.reached, waiting],
    [23, 23, 0],
  )
  const { unknown } = await db.one<{ unknown: number }>(sql`
    select count(*)::int as unknown from sequence_outcomes
    where business_id = ${id} and reached is null and judge_at is null
  `)
  assert.equal(unknown, 2)
})

test('a deleted sequence judges nobody, and wakes no more', async () => {
  const { begin, template, agree, settle, pass, caller, person, db, id } = await sequenceScene({
    db: database.db,
    templates,
  })
  const sequence_id = await begin({
    enter: { on: 'consent.given' },
    goal: { tag: 'customer' },
    goal_within: '3 days',
    holdout: 50,
    steps: [await template('One')],
  })
  await agree('ana')
  await settle()
  const readOutcomes = () =>
    db.all<object>(sql`select * from sequence_outcomes where business_id = ${id}`)
  const before = await readOutcomes()
  assert.equal(before.length, 1)
  await person.get(sequenceStop, { sequence_id })
  await caller.get(sequenceDelete, { sequence_id })
  assert.deepEqual(await readOutcomes(), [])
  // As a release that kept them left it.
  await db.run(sql`
    insert into sequence_outcomes
    select * from json_populate_recordset(null::sequence_outcomes, ${JSON.stringify(before)})
  `)
  await pass(days(3))
  const { waking } = await db.one<{ waking: number }>(sql`
    select count(*)::int as waking from jobs
    where kind = 'sequence.run' and payload ->> 'business_id' = ${id}
  `)
  assert.equal(waking, 0)
})
