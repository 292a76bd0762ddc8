/**
 * A naive simulator as an oracle. Times: it walks in quarters of an hour and reads the clock on the
 * wall. People: it goes through random sequences one person and one step at a time, in memory. CASES
 * sets how many cases of each there are; `npm run soak -- --only sequence-oracle` has 5,000.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Random, seededRandom } from '../../../tests/crash/support/random.ts'
import { sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, later, minutes } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { type Step, type WaitStep, weekdays } from './definition.ts'
import { momentIn } from './look.ts'
import { waitUntil, withinHours } from './program.ts'

const cases = Number(process.env['CASES'] ?? 300)
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_128)

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Asia/Kathmandu',
  'UTC',
]
const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
)
/** `2026-11-30 09:00` on the wall. */
const shown = (at: Date, zone: string) => formats.get(zone)?.format(at) ?? ''

const quarter = minutes(15)
const utc = (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
const dayOn = (day: string, by: number) =>
  later(utc(`${day} 00:00`), days(by))
    .toISOString()
    .slice(0, 10)

/** When the clock first shows this time of the day; if it skips it, as much later as it skipped. */
function naiveMoment(day: string, time: string, zone: string): Date {
  const target = `${day} ${time}`
  let at = later(utc(target), -hours(15))
  for (let before = at; ; before = at, at = later(at, quarter)) {
    const text = shown(at, zone)
    if (text === target) return at
    if (text < target) continue
    const skipped = utc(text).getTime() - utc(shown(before, zone)).getTime() - quarter
    const moved = later(utc(target), skipped).toISOString().slice(0, 16).replace('T', ' ')
    while (shown(at, zone) !== moved) at = later(at, quarter)
    return at
  }
}

const pick = <T>(random: Random, items: readonly T[]): T =>
  items[random.whole(0, items.length - 1)] as T

/** Changes of clocks in both hemispheres, around which most moments are drawn. */
const changes = ['2026-03-29', '2026-10-25', '2027-03-14', '2027-09-05', '2027-04-04', '2028-10-01']

function someMoment(random: Random): Date {
  const near = random.next() < 0.7
  const from = utc(`${near ? pick(random, changes) : '2026-01-01'} 00:00`)
  const span = near ? 8 * 96 : 3 * 365 * 96
  return later(from, (random.whole(0, span) - (near ? 4 * 96 : 0)) * quarter)
}

const someTime = (random: Random, from = 0) =>
  `${String(random.whole(from, 22)).padStart(2, '0')}:${pick(random, ['00', '15', '30', '45'])}`

const someDays = (random: Random) => {
  const chosen = weekdays.filter(() => random.next() < 0.5)
  return chosen.length > 0 ? { days: chosen } : {}
}

const weekdayOf = (day: string) => weekdays[(utc(`${day} 00:00`).getUTCDay() + 6) % 7] ?? 'mon'

test('waits and hours end when a walk along the clock on the wall says so', () => {
  const random = seededRandom(seed)
  for (let n = 0; n < cases; n++) {
    const [zone, from] = [pick(random, zones), someMoment(random)]
    const [day = '', time = ''] = shown(from, zone).split(' ')
    const count = random.whole(1, 9)
    const unit = pick(random, ['hour', 'day', 'week'] as const)
    const step: WaitStep = {
      wait: `${count} ${unit}s`,
      ...(random.next() < 0.5 && { until: someTime(random) }),
      ...(random.next() < 0.4 && someDays(random)),
    }
    const length = unit === 'week' ? 7 * count : count
    const base =
      unit === 'hour' ? later(from, hours(count)) : naiveMoment(dayOn(day, length), time, zone)
    const text = JSON.stringify({ n, zone, from, step })
    const actual = waitUntil(step, from, zone)
    let expected = base
    if (step.until !== undefined || step.days) {
      const [first = '', baseTime = ''] = shown(base, zone).split(' ')
      for (let by = 0; by < 15; by++) {
        const at = dayOn(first, by)
        if (step.days && !step.days.includes(weekdayOf(at))) continue
        const isBase = by === 0 && step.until === undefined
        expected = isBase ? base : naiveMoment(at, step.until ?? baseTime, zone)
        if (expected >= base) break
      }
    }
    assert.equal(actual.toISOString(), expected.toISOString(), text)
    const open = { from: someTime(random, 4), to: '23:00', ...someDays(random) }
    let allowed = from
    for (;;) {
      const [today = '', now = ''] = shown(allowed, zone).split(' ')
      const isDay = !open.days || open.days.includes(weekdayOf(today))
      if (isDay && now >= open.from && now < open.to) break
      allowed = later(allowed, quarter)
    }
    const opens = withinHours(open, from, zone)
    assert.equal(
      opens.toISOString(),
      allowed.toISOString(),
      JSON.stringify({ n, zone, from, open }),
    )
  }
})

const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29

test('dates let people in on the days and at the moments that a calendar says', () => {
  const random = seededRandom(seed + 1)
  let entered = 0
  for (let n = 0; n < cases; n++) {
    const [zone, from] = [pick(random, zones), someMoment(random)]
    const until = later(from, days(random.whole(1, 3)))
    const isYearly = random.next() < 0.5
    const offset = random.whole(-9, 9)
    const leap_day = pick(random, ['feb_28', 'mar_1'] as const)
    const enter = {
      on: 'date' as const,
      field: 'birthday',
      at: someTime(random),
      ...(offset !== 0 && { offset: `${offset} days` }),
      ...(isYearly && { yearly: true as const, leap_day }),
    }
    const near = dayOn(from.toISOString().slice(0, 10), random.whole(0, 3) - offset)
    const isLeapDate = isYearly && random.next() < 0.2
    const date = isLeapDate ? '1992-02-29' : isYearly ? `1990${near.slice(4)}` : near
    const expected: string[] = []
    for (let by = -2; by < 7; by++) {
      const day = dayOn(from.toISOString().slice(0, 10), by)
      const source = dayOn(day, -offset)
      const year = Number(source.slice(0, 4))
      const inYear =
        date.endsWith('02-29') && !isLeap(year)
          ? leap_day === 'feb_28'
            ? '02-28'
            : '03-01'
          : date.slice(5)
      const wanted = isYearly ? `${source.slice(0, 4)}-${inYear}` : date
      if (wanted !== source) continue
      const moment = naiveMoment(day, enter.at, zone)
      if (moment > from && moment <= until) expected.push(day)
    }
    entered += expected.length
    const actual = momentIn(enter, date, { zone, from, until })
    assert.deepEqual(
      actual === undefined ? [] : [actual],
      expected,
      JSON.stringify({ n, zone, from, until, enter, date }),
    )
  }
  assert.ok(entered > cases / 5, `${entered} of ${cases} entered`)
})

interface NaiveEntry {
  name: string
  at: Date
  step: number
  due: Date | null
  waits: boolean
  state: string
  reason: string | null
  /** `step outcome reason at`. */
  steps: string[]
}

interface Known {
  tags: Set<string>
  hasPhone: boolean
  bought: Date[]
}

interface Plan {
  steps: Step[]
  exit: boolean
  again: string
}

/** A flat sequence with one split, as both the service and the simulator read it. */
function somePlan(random: Random, mails: Step[], text: Step): Plan {
  const simple = (): Step =>
    pick<() => Step>(random, [
      () => pick(random, mails),
      () => ({ ...pick(random, mails), if: { tag: 'a' } }) as Step,
      () => ({ ...text, channel: 'sms' }) as Step,
      () => ({ notify: { members: ['owner'] } }),
      () => ({ wait: `${random.whole(1, 30)} hours` }),
      () => ({ wait: `${random.whole(1, 3)} days`, until: someTime(random) }),
      () => ({ wait_for: { event: 'buy', up_to: `${random.whole(1, 40)} hours` } }),
      () => ({ tag: pick(random, ['a', 'b']) }),
      () => ({ stop_if: { did: 'buy', since: 'step' } }),
      () => ({ stop_if: { and: [{ tag: 'a' }, { tag: 'b' }] } }),
    ])()
  const list = (most: number) => Array.from({ length: random.whole(1, most) }, simple)
  const split: Step = { split: [{ if: { tag: 'a' }, steps: list(2) }, { steps: list(2) }] }
  return {
    steps: [pick(random, mails), ...list(3), ...(random.next() < 0.6 ? [split] : []), ...list(2)],
    exit: random.next() < 0.4,
    again: pick(random, ['never', 'each time']),
  }
}

/** Goes through the steps by their numbers in the text, and reads nothing that the service wrote. */
function naiveStep(
  entry: NaiveEntry,
  { steps, exit }: Plan,
  known: Known,
  now: Date,
  zone: string,
) {
  const numbered: { n: number; step: Step; next: number }[] = []
  let n = 0
  const number = (list: readonly Step[], after: () => number) => {
    for (const [index, step] of list.entries()) {
      const row = { n: ++n, step, next: 0 }
      numbered.push(row)
      if ('split' in step) for (const branch of step.split) number(branch.steps, () => row.next)
      const following = n + 1
      row.next = index === list.length - 1 ? -1 : following
      ends.push(() => {
        if (row.next === -1) row.next = after()
      })
    }
  }
  const ends: (() => void)[] = []
  number(steps, () => 0)
  for (const end of ends.toReversed()) end()
  const isLate = entry.due === null || entry.due < later(now, -hours(1))
  let from = isLate || !entry.due ? now : entry.due
  let stepped = entry.steps.length > 0 ? utc(entry.steps.at(-1)?.split('@')[1] ?? '') : entry.at
  const note = (row: number, outcome: string) =>
    entry.steps.push(`${row} ${outcome}@${now.toISOString().slice(0, 19)}`)
  const leave = (reason: string) => Object.assign(entry, { state: 'left', reason, due: null })
  for (;;) {
    const row = numbered.find((item) => item.n === entry.step)
    if (!row) return Object.assign(entry, { state: 'finished', due: null })
    if (exit && known.bought.some((at) => at >= entry.at)) return leave('exit')
    const { step } = row
    entry.due = now
    if ('stop_if' in step) {
      const isOut =
        'did' in step.stop_if
          ? known.bought.some((at) => at >= stepped)
          : ['a', 'b'].every((tag) => known.tags.has(tag))
      note(row.n, 'done')
      if (isOut) return leave('stop_if')
    } else if ('send' in step && step.channel === 'sms') {
      const [day = '', time = ''] = shown(now, zone).split(' ')
      const isNight = time < '09:00' || time >= '20:00'
      if (known.hasPhone && isNight) {
        entry.due = naiveMoment(time < '09:00' ? day : dayOn(day, 1), '09:00', zone)
        return entry
      }
      note(row.n, known.hasPhone ? 'done' : 'skipped')
    } else if ('send' in step) note(row.n, step.if && !known.tags.has('a') ? 'skipped' : 'done')
    else note(row.n, 'done')
    stepped = now
    entry.step = row.next
    if ('tag' in step) known.tags.add(step.tag)
    if ('split' in step) {
      const isFirst = known.tags.has('a')
      entry.step = isFirst ? row.n + 1 : row.n + 1 + (step.split[0]?.steps.length ?? 0)
    }
    if ('wait' in step) {
      const [count = '', unit = ''] = step.wait.split(' ')
      const [day = '', time = ''] = shown(from, zone).split(' ')
      const seconds = from.getTime() % minutes(1)
      entry.due = unit.startsWith('hour')
        ? later(from, hours(Number(count)))
        : later(naiveMoment(dayOn(day, Number(count)), time, zone), seconds)
      if (step.until !== undefined) {
        const [base = ''] = shown(entry.due, zone).split(' ')
        const today = naiveMoment(base, step.until, zone)
        entry.due = today >= entry.due ? today : naiveMoment(dayOn(base, 1), step.until, zone)
      }
      if (entry.due > now) return entry
      from = entry.due
    }
    if ('wait_for' in step) {
      entry.waits = true
      entry.due = later(from, hours(Number(step.wait_for.up_to.split(' ')[0])))
      return entry
    }
  }
}

test('random sequences take random people through the same steps as a naive simulator', async (t) => {
  const random = seededRandom(seed + 2)
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock, caller, begin, template, textTemplate, agree, settle } = scene
  const zone = 'Europe/Berlin'
  const mails = [await template('M1'), await template('M2'), await template('M3')]
  const text = await textTemplate('T1')
  const count = Math.ceil(cases / 15)
  const perSequence = 4
  const runs = []
  for (let s = 0; s < count; s++) {
    const plan = somePlan(random, mails, text)
    const sequence_id = await begin({
      enter: { on: 'own_event', event: `go${s}`, again: plan.again },
      steps: plan.steps,
      ...(plan.exit && { exit: { did: 'buy', since: 'entry' } }),
    })
    const people = Array.from({ length: perSequence }, (_, p) => `s${s}p${p}`)
    runs.push({ s, plan, sequence_id, people, entries: [] as NaiveEntry[] })
  }
  const known = new Map<string, Known>()
  for (const name of runs.flatMap(({ people }) => people)) {
    const tags = ['a', 'b'].filter(() => random.next() < 0.3)
    const hasPhone = random.next() < 0.6
    known.set(name, { tags: new Set(tags), hasPhone, bought: [] })
    const yes = { status: 'subscribed', source: 'shop' }
    const withPhone = {
      phone: `+49151${String(known.size).padStart(8, '0')}`,
      consent: { email: yes, sms: yes },
    }
    await agree(name, { tags, ...(hasPhone && withPhone) })
  }
  await settle()
  for (let tick = 0; tick < 24; tick++) {
    const now = clock.now()
    const happened = runs.flatMap((run) =>
      run.people.flatMap((name) => {
        const draw = random.next()
        const event = draw < 0.12 ? `go${run.s}` : draw < 0.2 ? 'buy' : undefined
        return event === undefined ? [] : [{ run, name, event }]
      }),
    )
    for (const { run, name, event } of happened) {
      const person = known.get(name)
      assert.ok(person)
      if (event === 'buy') {
        person.bought.push(now)
        for (const entry of run.entries) {
          if (entry.name === name && entry.waits) Object.assign(entry, { waits: false, due: now })
        }
      } else {
        const mine = run.entries.filter((entry) => entry.name === name)
        if (run.plan.again === 'never' && mine.length > 0) continue
        run.entries.push({
          name,
          at: now,
          step: 1,
          due: now,
          waits: false,
          state: 'active',
          reason: null,
          steps: [],
        })
      }
    }
    if (happened.length > 0) {
      await caller.get(contactTrack, {
        events: happened.map(({ name, event }) => ({
          contact: { email: `${name}@example.com` },
          event,
          id: randomUUID(),
        })),
      })
    }
    for (const { plan, entries } of runs) {
      const due = entries
        .filter(({ state, due: at }) => state === 'active' && at !== null && at <= now)
        .sort((x, y) => Number(x.due) - Number(y.due))
      for (const entry of due) {
        entry.waits = false
        const person = known.get(entry.name)
        if (person) naiveStep(entry, plan, person, now, zone)
      }
    }
    await settle()
    clock.forward(random.whole(1, 36) * quarter + random.whole(0, 59_000))
  }
  let compared = 0
  for (const { sequence_id, plan, entries } of runs) {
    const rows = await db.all<{
      name: string
      at: Date
      state: string
      reason: string
      steps: string[]
    }>(sql`
      select split_part(c.email, '@', 1) as name, e.entered_at as at, e.state, e.reason, array(
        select s.step || ' ' || s.outcome || '@' || to_char(s.done_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
        from sequence_steps s where s.business_id = ${id} and s.entry_id = e.id
          and s.sequence_id = e.sequence_id order by s.done_at, s.step
      ) as steps
      from sequence_entries e
      join contacts c on c.business_id = e.business_id and c.id = e.contact_id
      where e.business_id = ${id} and e.sequence_id = ${parseId('sequence', sequence_id) ?? null}
    `)
    const textOf = (row: Pick<NaiveEntry, 'name' | 'at' | 'state' | 'reason' | 'steps'>) =>
      `${row.name} ${row.at.toISOString()} ${row.state} ${row.reason}: ${row.steps.join(', ')}`
    compared += rows.length
    assert.deepEqual(
      rows.map(textOf).sort(),
      entries.map(textOf).sort(),
      JSON.stringify({ seed, plan }, null, 1),
    )
  }
  t.diagnostic(`${compared} entries were compared`)
  assert.ok(compared > count * 2, `${compared} entries`)
})
