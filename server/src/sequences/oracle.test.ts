/**
 * A naive simulator as an oracle. Times: it walks in quarters of an hour and reads the clock on the
 * wall. People: it goes through random sequences one person and one step at a time, in memory. CASES
 * and SEQUENCES set how many there are; `npm run soak -- --only sequence-oracle` has 5,000 of each.
 */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Random, seededRandom } from '../../../tests/crash/support/random.ts'
import { sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { contactTrack } from '../contacts/own-events/track.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, hours, later, minutes } from '../lib/time/clock.ts'
import { saveOwnAttention } from '../messages/attention.ts'
import { createTemplates } from '../templates/compile.ts'
import type { Hours } from './definition.ts'
import { sequenceGet } from './get.ts'
import { momentIn } from './look.ts'
import { waitUntil, withinHours } from './program.ts'
import { type Step, type WaitStep, weekdays } from './steps.ts'

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

type Cart = number
type Channel = 'email' | 'sms'

interface Buy {
  at: Date
  cart: Cart
}

/** A person as the simulator knows them. */
interface Plain {
  name: string
  contactId: string
  tags: Set<string>
  level: number
  hasPhone: boolean
  /** Their own zone, where it is known. */
  zone: string | undefined
  left: boolean
  bought: Buy[]
  /** The times of the messages that count against caps. */
  messages: Date[]
  /** Messages in seven days, as they chose for themselves. */
  most: number | undefined
}

interface NaiveNode {
  n: number
  step: Step
  next: NaiveNode | undefined
  heads: (NaiveNode | undefined)[]
}

interface NaiveEntry {
  person: Plain
  at: Date
  cart: Cart
  node: NaiveNode | undefined
  due: Date | null
  meant: Date | null
  stepped: Date
  waitsFor: Extract<Step, { wait_for: object }>['wait_for'] | undefined
  isHeldOut: boolean
  /** Whether they had reached the goal when that was looked at, once its days were over. */
  reached: boolean | undefined
  state: string
  reason: string | null
  /** `step outcome reason at`. */
  steps: string[]
}

interface Caps {
  most: number
  days: number
  gapHours: number
}

interface Plan {
  steps: Step[]
  exit: Filter | undefined
  goal: Filter | undefined
  again: string
  holdout: number
  hours: Hours | undefined
  longest: string | undefined
}

/** What all sequences of one business share. */
interface World {
  zone: string
  caps: Caps | undefined
}

const sameCart = { 'properties.cart': { entry: 'cart' } } as const
const buying: readonly Filter[] = [
  { did: 'buy', since: 'entry' },
  { did: 'buy', since: 'step' },
  { did: 'buy', since: 'entry', where: sameCart } as never,
  { did_not: 'buy', since: 'entry', where: sameCart } as never,
]
const conditions: readonly Filter[] = [
  ...buying,
  { tag: 'a' },
  { and: [{ tag: 'a' }, { tag: 'b' }] },
  { not: { tag: 'b' } },
  { field: 'attributes.level', op: 'gt', value: 1 },
]

interface Writing {
  mails: Step[]
  text: Step
  caps: Caps | undefined
}

/** A sequence with splits in splits, as both the service and the simulator read it. */
function somePlan(random: Random, { mails, text, caps }: Writing): Plan {
  const may = (chance: number) => random.next() < chance
  // Of two entries at once neither changes what the other one sees, or takes its place under a cap.
  const again = pick(random, [
    'never',
    'after 2 days',
    'latest',
    ...(caps ? [] : ['each time', 'each time']),
  ])
  const changes: (() => Step)[] =
    again === 'each time'
      ? []
      : [
          () => ({ tag: pick(random, ['a', 'b']) }),
          () => ({ tag: pick(random, ['a', 'b']), remove: true }),
          () => ({ set: { 'attributes.level': random.whole(0, 3) } }),
        ]
  const condition = () => pick(random, conditions)
  const simple = (): Step =>
    pick<() => Step>(random, [
      () => pick(random, mails),
      () => ({ ...pick(random, mails), if: condition() }) as Step,
      () => ({ ...text, channel: 'sms' }) as Step,
      () => ({ notify: { members: ['owner'] } }),
      () => ({ wait: `${random.whole(1, 30)} hours` }),
      () => ({ wait: `${random.whole(1, 3)} days`, until: someTime(random) }),
      () => ({ wait: `${random.whole(1, 3)} days`, ...someDays(random) }),
      () => ({ wait_for: { event: 'buy', up_to: `${random.whole(1, 40)} hours` } }),
      () => ({ wait_for: { event: 'buy', where: sameCart, up_to: `${random.whole(1, 3)} days` } }),
      () => ({ stop_if: condition() }),
      ...changes,
    ])()
  const list = (most: number, depth: number): Step[] =>
    Array.from({ length: random.whole(1, most) }, () =>
      depth < 2 && may(0.25) ? split(depth) : simple(),
    )
  const split = (depth: number): Step => {
    const conditional = Array.from({ length: random.whole(1, 2) }, () => ({
      if: condition(),
      steps: may(0.15) ? [] : list(2, depth + 1),
    }))
    return { split: [...conditional, ...(may(0.7) ? [{ steps: list(2, depth + 1) }] : [])] }
  }
  const from = random.whole(4, 18)
  const clock = pick(random, ['business', 'recipient'] as const)
  return {
    steps: structuredClone([pick(random, mails), ...list(5, 0), ...list(2, 0)]),
    exit: may(0.35) ? pick(random, buying.slice(0, 3)) : undefined,
    goal: may(0.3) ? pick(random, [buying[0] as Filter, buying[2] as Filter]) : undefined,
    again,
    holdout: may(0.3) ? 40 : 0,
    hours: may(0.4)
      ? {
          from: `${String(from).padStart(2, '0')}:15`,
          to: `${String(from + random.whole(1, 4)).padStart(2, '0')}:30`,
          clock,
          ...(may(0.4) && someDays(random)),
        }
      : undefined,
    longest: may(0.4) ? `${random.whole(1, 60)} hours` : undefined,
  }
}

interface Numbered {
  node: NaiveNode
  branches: Numbered[][]
}

/** The steps as they follow each other, numbered in the order of the text. */
function naiveNodes(steps: readonly Step[]): NaiveNode | undefined {
  let n = 0
  const numbered = (list: readonly Step[]): Numbered[] =>
    list.map((step) => {
      const node: NaiveNode = { n: ++n, step, next: undefined, heads: [] }
      const branches = 'split' in step ? step.split.map((branch) => numbered(branch.steps)) : []
      return { node, branches }
    })
  const linked = (list: readonly Numbered[], after?: NaiveNode): NaiveNode | undefined => {
    for (const [index, { node, branches }] of list.entries()) {
      node.next = list[index + 1]?.node ?? after
      node.heads = branches.map((branch) => linked(branch, node.next))
    }
    return list[0]?.node ?? after
  }
  return linked(numbered(steps))
}

/** Whether the person fits the condition, read from its words. */
function naiveFits(filter: Filter, { person, at, cart, stepped }: NaiveEntry): boolean {
  const entry = { person, at, cart, stepped } as NaiveEntry
  if ('and' in filter) return filter.and.every((part) => naiveFits(part, entry))
  if ('not' in filter) return !naiveFits(filter.not, entry)
  if ('tag' in filter) return person.tags.has(filter.tag)
  if ('field' in filter) return person.level > 1
  if (!('did' in filter || 'did_not' in filter)) assert.fail(JSON.stringify(filter))
  const since = filter.since === 'step' ? stepped : at
  const has = person.bought.some(
    (buy) => buy.at >= since && (filter.where === undefined || buy.cart === cart),
  )
  return 'did' in filter ? has : !has
}

/** The first quarter of an hour at which the hours are open; now if they are. */
function naiveOpening(hours: Hours | undefined, at: Date, zone: string): Date {
  if (!hours) return at
  const isOpen = (moment: Date) => {
    const [day = '', time = ''] = shown(moment, zone).split(' ')
    return (
      (!hours.days || hours.days.includes(weekdayOf(day))) && time >= hours.from && time < hours.to
    )
  }
  if (isOpen(at)) return at
  let moment = new Date(Math.ceil(at.getTime() / quarter) * quarter)
  while (!isOpen(moment)) moment = later(moment, quarter)
  return moment
}

const dayTime: Hours = { from: '09:00', to: '20:00' }

/** When the step may go out: in the hours of the sequence, and a text by day. */
function naiveStart(
  { hours: open }: Plan,
  person: Plain,
  { channel, now, zone }: { channel: Channel; now: Date; zone: string },
) {
  const opens = naiveOpening(open, now, zone)
  if (channel === 'email' || !person.hasPhone) return opens
  const wakes = naiveOpening(dayTime, opens, person.zone ?? 'Europe/Berlin')
  return wakes > opens ? naiveOpening(open, wakes, zone) : opens
}

/** Until when the person gets no more, and when the next one goes. */
function naiveRoom(person: Plain, caps: Caps | undefined, now: Date) {
  const all = [
    ...(caps ? [caps] : []),
    ...(person.most === undefined ? [] : [{ most: person.most, days: 7, gapHours: 0 }]),
  ]
  const ends = all.flatMap(({ most, days: long }) => {
    const counted = person.messages.filter((at) => at > later(now, -days(long)))
    const newest = counted.map(Number).sort((x, y) => y - x)
    return newest.length >= most ? [later(new Date(newest[most - 1] ?? 0), days(long))] : []
  })
  const until = ends.length > 0 ? new Date(Math.max(...ends.map(Number))) : undefined
  const last = caps?.gapHours
    ? Math.max(...person.messages.filter((at) => at > later(now, -days(caps.days))).map(Number), 0)
    : 0
  const next = caps && last > 0 ? later(new Date(last), hours(caps.gapHours)) : now
  return { until, at: next > now ? next : now }
}

const channelsIn = (steps: readonly Step[]): Set<Channel> =>
  new Set(
    steps.flatMap((step): Channel[] => {
      if ('split' in step) return step.split.flatMap((branch) => [...channelsIn(branch.steps)])
      return 'send' in step ? [step.channel ?? 'email'] : []
    }),
  )

interface Turn {
  plan: Plan
  world: World
  now: Date
}

/** Takes one entry as far as it can go now, and reads nothing that the service wrote. */
function naiveTurn(entry: NaiveEntry, { plan, world, now }: Turn): void {
  const { person } = entry
  const isLate = entry.due === null || entry.due < later(now, -hours(1))
  let from = isLate || !entry.due ? now : entry.due
  const note = (n: number, outcome: string, reason: string | null = null) => {
    entry.steps.push(`${n} ${outcome} ${reason} ${now.toISOString()}`)
    entry.stepped = now
  }
  const leave = (reason: string) =>
    Object.assign(entry, { state: 'left', reason, due: null, waitsFor: undefined })
  const channels = channelsIn(plan.steps)
  const own = plan.hours?.clock === 'recipient' ? person.zone : undefined
  const zone = own ?? world.zone
  for (;;) {
    const { node } = entry
    if (!node) return void Object.assign(entry, { state: 'finished', due: null })
    if (plan.exit && naiveFits(plan.exit, entry)) return void leave('exit')
    if (plan.goal && naiveFits(plan.goal, entry)) return void leave('goal')
    // Nobody leaves texts here.
    if (person.left && channels.size === 1) return void leave('unsubscribed')
    const { n, step, next, heads } = node
    const goOn = () => Object.assign(entry, { node: next, due: now, meant: null })
    if ('send' in step) {
      const channel = step.channel ?? 'email'
      const opens = naiveStart(plan, person, { channel, now, zone })
      const meant = entry.meant ?? entry.due ?? now
      const latest = plan.longest && later(meant, hours(Number(plan.longest.split(' ')[0])))
      const obstacle =
        channel === 'sms'
          ? person.hasPhone
            ? undefined
            : 'no_phone'
          : person.left
            ? 'no_consent'
            : undefined
      if (step.if && !naiveFits(step.if, entry)) note(n, 'skipped', 'if')
      else if (obstacle) note(n, 'skipped', obstacle)
      else if (latest && opens > latest) note(n, 'skipped', 'too_late')
      else if (opens > now) {
        entry.meant ??= entry.due
        entry.due = opens
        return
      } else {
        const room = naiveRoom(person, world.caps, now)
        // A cart is of the moment, and waits only where the sequence says so.
        if (room.until && latest && room.until <= latest) {
          entry.meant ??= entry.due
          entry.due = room.until
          return
        }
        if (room.until) note(n, 'skipped', 'capped')
        else {
          person.messages.push(room.at)
          note(n, 'done')
        }
      }
      goOn()
    } else if ('stop_if' in step) {
      const isOut = naiveFits(step.stop_if, entry)
      note(n, 'done', isOut ? 'stop_if' : null)
      if (isOut) return void leave('stop_if')
      goOn()
    } else if ('split' in step) {
      const taken = step.split.findIndex(
        (branch) => branch.if === undefined || naiveFits(branch.if, entry),
      )
      note(n, 'done', taken < 0 ? null : `branch ${taken + 1}`)
      goOn()
      entry.node = taken < 0 ? next : heads[taken]
    } else if ('wait' in step) {
      note(n, 'done')
      goOn()
      entry.due = naiveWait(step, from, zone)
      if (entry.due > now) return
      from = entry.due
    } else if ('wait_for' in step) {
      note(n, 'done')
      goOn()
      entry.waitsFor = step.wait_for
      const [count = '', unit = ''] = step.wait_for.up_to.split(' ')
      entry.due = naiveWait({ wait: `${count} ${unit}` }, from, zone)
      return
    } else {
      if ('tag' in step) {
        if (step.remove) person.tags.delete(step.tag)
        else person.tags.add(step.tag)
      }
      if ('set' in step) person.level = Number(step.set['attributes.level'])
      note(n, 'done')
      goOn()
    }
  }
}

function naiveWait({ wait, until, days: on }: WaitStep, from: Date, zone: string): Date {
  const [count = '', unit = ''] = wait.split(' ')
  const below = from.getTime() % minutes(1)
  const [day = '', time = ''] = shown(from, zone).split(' ')
  const base = unit.startsWith('hour')
    ? later(from, hours(Number(count)))
    : later(naiveMoment(dayOn(day, Number(count)), time, zone), below)
  if (until === undefined && !on) return base
  const [first = '', baseTime = ''] = shown(base, zone).split(' ')
  for (let by = 0; by < 15; by++) {
    const today = dayOn(first, by)
    if (on && !on.includes(weekdayOf(today))) continue
    if (by === 0 && until === undefined) return base
    const at =
      until === undefined
        ? later(naiveMoment(today, baseTime, zone), base.getTime() % minutes(1))
        : naiveMoment(today, until, zone)
    if (at >= base) return at
  }
  return base
}

interface Run {
  n: number
  plan: Plan
  sequenceId: string
  people: Plain[]
  entries: NaiveEntry[]
}

/** As the design says: the same people in each version, by a hash of both ids. */
function naiveHoldout({ sequenceId, plan }: Run, { contactId }: Plain): boolean {
  const ids = [parseId('sequence', sequenceId), parseId('contact', contactId)].join(' ')
  const hash = createHash('sha256').update(ids).digest('hex').slice(0, 8)
  return Number.parseInt(hash, 16) / 2 ** 32 < plan.holdout / 100
}

/** An event lets a person in, once unless the rule says again. */
function naiveEnter(run: Run, person: Plain, { cart, now }: { cart: Cart; now: Date }): void {
  const { again, steps } = run.plan
  const mine = run.entries.filter((entry) => entry.person === person)
  const inside = mine.filter(({ state }) => state === 'active' || state === 'holdout')
  if (again === 'latest') {
    for (const entry of inside) if (entry.state === 'active') entry.cart = cart
  }
  const isKeptOut =
    again === 'never'
      ? mine.length > 0
      : again !== 'each time' &&
        (inside.length > 0 ||
          (again.startsWith('after') && mine.some(({ at }) => at > later(now, -days(2)))))
  if (isKeptOut) return
  const isOut = naiveHoldout(run, person)
  run.entries.push({
    person,
    at: now,
    cart,
    node: naiveNodes(steps),
    due: isOut ? null : now,
    meant: null,
    stepped: now,
    waitsFor: undefined,
    isHeldOut: isOut,
    reached: undefined,
    state: isOut ? 'holdout' : 'active',
    reason: null,
    steps: [],
  })
}

/** Who unsubscribes from mails leaves what sends nothing else. */
function naiveLeave({ plan, entries }: Run, person: Plain): void {
  person.left = true
  if (channelsIn(plan.steps).size > 1) return
  for (const entry of entries) {
    if (entry.person !== person || !['active', 'holdout'].includes(entry.state)) continue
    Object.assign(entry, { state: 'left', reason: 'unsubscribed', due: null, waitsFor: undefined })
  }
}

const goalDays = 3

/** The first time of each person. */
const firstEntries = ({ people, entries }: Run): NaiveEntry[] =>
  people.flatMap((person) => entries.find((entry) => entry.person === person) ?? [])

/**
 * Who reached the goal is looked at once, three days after they first entered. The data of a newer
 * event counts for whoever was still inside then.
 */
function naiveJudge(run: Run, now: Date): void {
  const { goal } = run.plan
  for (const entry of goal ? firstEntries(run) : []) {
    const end = later(entry.at, days(goalDays))
    if (!goal || end > now || entry.reached !== undefined) continue
    const { person } = entry
    const inTime = { ...person, bought: person.bought.filter(({ at }) => at < end) }
    entry.reached = naiveFits(goal, { ...entry, person: inTime })
  }
}

/** Of those who got it and those held out, who reached the goal in its days. */
function naiveEffect(run: Run) {
  const groups = { treated: { people: 0, reached: 0 }, held_out: { people: 0, reached: 0 } }
  let waiting = 0
  for (const { reached, isHeldOut } of firstEntries(run)) {
    if (reached === undefined) {
      waiting += 1
      continue
    }
    const group = groups[isHeldOut ? 'held_out' : 'treated']
    group.people += 1
    if (reached) group.reached += 1
  }
  return { ...groups, waiting }
}

const sequences = Number(process.env['SEQUENCES'] ?? 18)
const perBusiness = 6
const perSequence = 4

/** Makes a business with sequences and people, lets time pass with events, and compares. */
async function compareBusiness(random: Random): Promise<{ compared: number; capped: number }> {
  const start = someMoment(random)
  const scene = await sequenceScene({
    db: database.db,
    templates,
    clock: new ManualClock(later(start, -days(2)).toISOString()),
  })
  const { db, id, clock, caller, begin, template, textTemplate, agree, settle } = scene
  const zone = pick(random, zones)
  const caps =
    random.next() < 0.5
      ? { most: random.whole(1, 3), days: random.whole(1, 5), gapHours: random.whole(0, 3) }
      : undefined
  await db.run(sql`update businesses set time_zone = ${zone} where id = ${id}`)
  if (caps) {
    const { most, days: long, gapHours } = caps
    const attention = {
      max: most,
      per: `${long} days`,
      ...(gapHours > 0 && { gap: `${gapHours} hours` }),
    }
    await setBusiness(db, id, {
      key: 'attention',
      value: JSON.stringify(attention),
      now: clock.now(),
    })
  }
  const world: World = { zone, caps }
  const mails = [await template('M1'), await template('M2'), await template('M3')]
  const text = await textTemplate('T1')
  const runs: Run[] = []
  let phones = 0
  for (let n = 0; n < perBusiness; n++) {
    const plan = somePlan(random, { mails, text, caps })
    const { exit, goal, hours: open, longest, holdout } = plan
    const sequenceId = await begin({
      enter: { on: 'own_event', event: `go${n}`, again: plan.again },
      steps: plan.steps,
      ...(exit && { exit }),
      ...(goal && { goal, goal_within: `${goalDays} days` }),
      ...(holdout > 0 && { holdout }),
      ...(open && { hours: open }),
      ...(longest && { wait_at_most: longest }),
    })
    const people: Plain[] = []
    for (let p = 0; p < perSequence; p++) {
      const name = `s${n}p${p}`
      const tags = ['a', 'b'].filter(() => random.next() < 0.3)
      const hasPhone = random.next() < 0.6
      const own = random.next() < 0.5 ? pick(random, zones) : undefined
      const yes = { status: 'subscribed', source: 'shop' }
      const contactId = await agree(name, {
        tags,
        ...(own && { attributes: { time_zone: own } }),
        ...(hasPhone && {
          phone: `+49151${String(++phones).padStart(8, '0')}`,
          consent: { email: yes, sms: yes },
        }),
      })
      const ownMaximum = caps && random.next() < 0.4 ? random.whole(1, 2) : undefined
      const contact = parseId('contact', contactId)
      if (ownMaximum !== undefined && contact) {
        const choice = { max: ownMaximum, perDays: 7, pausedUntil: null, isDigestOnly: false }
        await saveOwnAttention(db, { businessId: id, contactId: contact }, choice, clock.now())
      }
      people.push({
        name,
        contactId,
        tags: new Set(tags),
        level: 0,
        hasPhone,
        zone: own,
        left: false,
        bought: [],
        messages: [],
        most: ownMaximum,
      })
    }
    runs.push({ n, plan, sequenceId, people, entries: [] })
  }
  await settle()
  for (let tick = 0; tick < 24; tick++) {
    const now = clock.now()
    const happened = runs.flatMap((run) =>
      run.people.flatMap((person) => {
        const draw = random.next()
        const event = draw < 0.13 ? `go${run.n}` : draw < 0.24 ? 'buy' : undefined
        return event === undefined ? [] : [{ run, person, event, cart: random.whole(1, 2) }]
      }),
    )
    for (const { run, person, event, cart } of happened) {
      if (event !== 'buy') naiveEnter(run, person, { cart, now })
      else {
        person.bought.push({ at: now, cart })
        for (const entry of run.entries) {
          const { waitsFor } = entry
          if (entry.person !== person || !waitsFor) continue
          if (waitsFor.where && entry.cart !== cart) continue
          Object.assign(entry, { waitsFor: undefined, due: now })
        }
      }
    }
    if (happened.length > 0) {
      await caller.get(contactTrack, {
        events: happened.map(({ person, event, cart }) => ({
          contact: { email: `${person.name}@example.com` },
          event,
          id: randomUUID(),
          properties: { cart },
        })),
      })
    }
    for (const run of runs) {
      naiveJudge(run, now)
      const { plan, entries } = run
      const due = entries
        .filter(({ state, due: at }) => state === 'active' && at !== null && at <= now)
        .sort((x, y) => Number(x.due) - Number(y.due))
      for (const entry of due) {
        entry.waitsFor = undefined
        naiveTurn(entry, { plan, world, now })
      }
    }
    await settle()
    for (const run of runs) {
      for (const person of run.people) {
        if (person.left || random.next() > 0.01) continue
        naiveLeave(run, person)
        await caller.get(contactUpsert, {
          email: `${person.name}@example.com`,
          consent: { email: { status: 'unsubscribed', source: 'shop' } },
        })
      }
    }
    await settle()
    clock.forward(random.whole(1, 36) * quarter + random.whole(0, 59_000))
  }
  let compared = 0
  for (const run of runs) {
    const { sequenceId, plan, entries } = run
    const rows = await db.all<{
      name: string
      at: Date
      state: string
      reason: string | null
      steps: string[]
    }>(sql`
      select split_part(c.email, '@', 1) as name, e.entered_at as at, e.state, e.reason, array(
        select s.step || ' ' || s.outcome || ' ' || coalesce(s.reason, 'null') || ' ' ||
          to_char(s.done_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        from sequence_steps s where s.business_id = ${id} and s.entry_id = e.id
          and s.sequence_id = e.sequence_id order by s.done_at, s.step
      ) as steps
      from sequence_entries e
      join contacts c on c.business_id = e.business_id and c.id = e.contact_id
      where e.business_id = ${id} and e.sequence_id = ${parseId('sequence', sequenceId) ?? null}
    `)
    const textOf = (row: Pick<NaiveEntry, 'at' | 'state' | 'reason' | 'steps'>, name: string) =>
      `${name} ${row.at.toISOString()} ${row.state} ${row.reason}: ${row.steps.join(', ')}`
    compared += rows.length
    const about = JSON.stringify(
      { seed, world, plan, people: run.people.map(shownPerson) },
      null,
      1,
    )
    assert.deepEqual(
      rows.map((row) => textOf(row, row.name)).sort(),
      entries.map((entry) => textOf(entry, entry.person.name)).sort(),
      about,
    )
    if (!plan.goal || plan.holdout === 0) continue
    const { effect } = await caller.get<{ effect: ReturnType<typeof naiveEffect> }>(sequenceGet, {
      sequence_id: sequenceId,
    })
    const { treated, held_out, waiting } = effect
    assert.deepEqual({ treated, held_out, waiting }, naiveEffect(run), about)
  }
  const capped = runs
    .flatMap(({ entries }) => entries.flatMap(({ steps }) => steps))
    .filter((step) => step.includes(' capped ')).length
  return { compared, capped }
}

const shownPerson = ({ name, zone, hasPhone, most }: Plain) => ({ name, zone, hasPhone, most })

test('random sequences take random people through the same steps as a naive simulator', async (t) => {
  const random = seededRandom(seed + 2)
  let [compared, capped] = [0, 0]
  for (let made = 0; made < sequences; made += perBusiness) {
    const outcome = await compareBusiness(random)
    compared += outcome.compared
    capped += outcome.capped
  }
  t.diagnostic(
    `${compared} entries of ${sequences} sequences were compared, ${capped} steps were capped`,
  )
  assert.ok(compared > sequences * 2, `${compared} entries`)
  assert.ok(capped > sequences / 10, `${capped} capped steps`)
})
