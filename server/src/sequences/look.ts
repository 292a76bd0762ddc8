/**
 * Lets people in by a date or by a segment, neither of which produces an event. Every five minutes it
 * checks the dates of the last day, and which people who changed or did something are in the segment.
 * Once a day it checks everybody, because the passing of time alone changes who is in a segment.
 */
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { compileFilter } from '../contacts/filters/compile.ts'
import { attributeKey, type Filter } from '../contacts/filters/filter.ts'
import { readDuration } from '../contacts/filters/times.ts'
import { markAddresses } from '../contacts/suppressions/hash-addresses.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { plannedAnew, sql, sqlWithin } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import type { JobKinds, TellWorker } from '../lib/jobs/job.ts'
import { isZone } from '../lib/phone/quiet-hours.ts'
import { type Clock, days, hours, later, minutes } from '../lib/time/clock.ts'
import { dayAt, momentAt } from '../lib/time/wall-clock.ts'
import { notedAmong, takeChanges } from './changes.ts'
import type { Enter } from './definition.ts'
import { type Candidate, letIn, type OpenSequence, wakeAt } from './enter.ts'
import type { SequenceKey } from './sequence.ts'

export interface LookDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  wake: TellWorker
}

export function lookJobs(deps: LookDeps): JobKinds {
  return {
    'sequence.look': {
      everyMs: minutes(5),
      timeoutMs: hours(1),
      async run(_job, signal) {
        await wakeForgotten(deps)
        for (const key of await findLooking(deps.db)) {
          if (signal.aborted) return
          await look(deps, key)
        }
      },
    },
  }
}

/**
 * A job that was queued by a clock that was ahead waits until that time. Where people are due before
 * it, another one is queued for now: nobody waits for longer than until the next look.
 */
async function wakeForgotten({ db, clock, wake }: LookDeps): Promise<void> {
  const now = clock.now()
  const businesses = await db.all<{ id: Id<'business'> }>(sql`select id from businesses`)
  const forgotten = await db.all<SequenceKey>(sql`
    select s.business_id as "businessId", s.id as "sequenceId"
    from sequences s
    join sequence_wakes w on w.business_id = s.business_id and w.sequence_id = s.id
    where s.business_id = any(${businesses.map(({ id }) => id)}::uuid[]) and s.status = 'running'
      and (w.wake_at is null or w.wake_at > ${later(now, minutes(1))})
      and exists (
        select from sequence_entries e
        where e.business_id = s.business_id and e.sequence_id = s.id and e.state = 'active'
          and e.due_at <= ${later(now, -minutes(1))}
      )
  `)
  for (const key of forgotten) await db.tx((tx) => wakeAt(tx, key, { at: now, now, tell: wake }))
}

/** The running sequences that people enter by a date or a segment. */
async function findLooking(db: Db): Promise<SequenceKey[]> {
  const businesses = await db.all<{ id: Id<'business'> }>(sql`select id from businesses`)
  return db.all(sql`
    select s.business_id as "businessId", s.id as "sequenceId"
    from sequences s
    join sequence_versions v on v.business_id = s.business_id and v.sequence_id = s.id
      and v.version = s.running_version
    where s.business_id = any(${businesses.map(({ id }) => id)}::uuid[])
      and s.status in ('running', 'paused')
      and v.definition -> 'enter' ->> 'on' in ('date', 'segment.entered')
    order by s.business_id, s.id
  `)
}

/** The most people whom one transaction lets in. */
const atOnce = 1_000

export async function look(deps: LookDeps, key: SequenceKey): Promise<void> {
  const { clock, wake: tell } = deps
  await lookAs(deps, key, () => ({ now: clock.now(), tell }))
}

export interface LookingBack {
  db: Database
  hmac: Hmac
  now: Date
}

/**
 * After a restore: whom dates and segments would let in now may have entered after the backup, so they
 * are noted as left.
 */
export async function doubtLooking({ db, hmac, now }: LookingBack): Promise<void> {
  for (const key of await findLooking(db)) {
    await lookAs({ db, hmac }, key, () => ({ now, isInDoubt: true }))
  }
}

async function lookAs(
  { db, hmac }: Pick<LookDeps, 'db' | 'hmac'>,
  key: SequenceKey,
  how: () => Omit<LookParts, 'hmac' | 'zone'>,
): Promise<void> {
  await markAddresses(db, hmac, key.businessId)
  let after: Id<'contact'> | undefined
  for (let isMore = true; isMore; ) {
    isMore = await db.tx(async (tx) => {
      const looking = await lockLooking(tx, key)
      if (!looking) return false
      const zone = await timeZoneOf(tx, key.businessId)
      const { now, tell, isInDoubt } = how()
      const parts = { hmac, zone, now, tell, isInDoubt }
      if (looking.definition.enter.on !== 'date') return askSegment(tx, looking, parts)
      after = await lookAtDates(tx, looking, parts, after)
      return after !== undefined
    })
  }
}

interface Looking extends OpenSequence {
  startedAt: Date
  segment: Filter | null
  lookedAt: Date | null
  askedWholeAt: Date | null
}

function lockLooking(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
): Promise<Looking | undefined> {
  return tx.maybe(sql`
    select s.business_id as "businessId", s.id as "sequenceId", s.name, v.version, v.definition,
      s.ends_at as "endsAt", s.is_approved as "isApproved", v.started_at as "startedAt", v.segment, w.looked_at as "lookedAt",
      w.asked_whole_at as "askedWholeAt"
    from sequences s
    join sequence_versions v on v.business_id = s.business_id and v.sequence_id = s.id
      and v.version = s.running_version
    join sequence_wakes w on w.business_id = s.business_id and w.sequence_id = s.id
    where s.business_id = ${businessId} and s.id = ${sequenceId}
      and s.status in ('running', 'paused')
    for update of w
  `)
}

interface LookParts {
  hmac: Hmac
  now: Date
  /** The zone of the business. */
  zone: string
  tell?: TellWorker | undefined
  /** After a restore, whoever may have entered after the backup. */
  isInDoubt?: boolean | undefined
}

/** How long a person may still enter after the moment of their date: a date may be saved late. */
const stillEnters = days(1)
/** After a longer standstill of the service, older dates are past. */
const longestLook = days(7)

/** Looks at those after a contact. Returns the last of them where more people have such a date. */
async function lookAtDates(
  tx: Tx,
  looking: Looking,
  { now, zone, hmac, tell, isInDoubt }: LookParts,
  after: Id<'contact'> | undefined,
): Promise<Id<'contact'> | undefined> {
  const { enter } = looking.definition
  const from = firstMoment(looking, now)
  if (isBetweenMoments(enter, { lookedAt: looking.lookedAt, now }) && !isInDoubt) return undefined
  const people = await peopleOfDays(tx, looking, daysBetween(from, now))
  const due = people.flatMap(({ contactId, date, zone: own }) => {
    const moment = momentIn(enter, date, {
      zone: own !== null && isZone(own) ? own : zone,
      from,
      until: now,
    })
    return moment ? [{ contactId, cause: moment, properties: { date } }] : []
  })
  const others = due.filter(({ contactId }) => after === undefined || contactId > after)
  const fresh = await withoutEntered(tx, looking, others)
  const next = fresh.slice(0, atOnce)
  const byApp = await notedAmong(
    tx,
    looking,
    next.map(({ contactId }) => contactId),
  )
  const candidates = next.map((candidate) => {
    return { ...candidate, byConnection: byApp.has(candidate.contactId) }
  })
  await letIn(tx, looking, { candidates, hmac, now, tell, isInDoubt })
  if (fresh.length > atOnce) return candidates.at(-1)?.contactId
  // Who did not enter now is looked at again until their day has passed.
  await setLookedAt(tx, looking, now)
  return undefined
}

function firstMoment({ lookedAt, startedAt }: Looking, now: Date): Date {
  const start = Math.min(lookedAt?.getTime() ?? now.getTime(), now.getTime() - stillEnters)
  return new Date(Math.max(start, now.getTime() - longestLook, startedAt.getTime()))
}

/** Zones are ahead of UTC by whole quarters of an hour, so between those nothing begins. */
export function isBetweenMoments(
  { at = defaultAt }: Enter,
  { lookedAt, now }: { lookedAt: Date | null; now: Date },
): boolean {
  if (!lookedAt) return false
  const quarter = minutes(15)
  const shift = minutes(Number(at.slice(3)) % 15)
  const number = (moment: Date) => Math.floor((moment.getTime() - shift) / quarter)
  return number(lookedAt) === number(now)
}

const defaultAt = '09:00'

/** The days that calendars show between two moments, in any zone. */
export function daysBetween(from: Date, until: Date): string[] {
  const list: string[] = []
  const last = dayAt(later(until, hours(14)), 'UTC')
  for (let day = dayAt(later(from, -hours(12)), 'UTC'); day <= last; day = shiftedDay(day, 1)) {
    list.push(day)
  }
  return list
}

export const shiftedDay = (day: string, by: number): string =>
  dayAt(later(new Date(`${day}T00:00Z`), days(by)), 'UTC')

/** By how many days the entry is after the date; negative before it. */
export function offsetDays({ offset }: Enter): number {
  if (offset === undefined) return 0
  const isBefore = offset.startsWith('-')
  const read = readDuration(isBefore ? offset.slice(1) : offset)
  if (!read) throw new Error('an offset was not read before it was used')
  return (isBefore ? -1 : 1) * read.count * (read.unit === 'week' ? 7 : 1)
}

/** The text of the dates whose entry falls on one of these days; of yearly ones without the year. */
export function datesFor(enter: Enter, entryDays: readonly string[]): string[] {
  const dates = entryDays.map((day) => shiftedDay(day, -offsetDays(enter)))
  if (!enter.yearly) return dates
  return [
    ...new Set(
      dates.flatMap((date) => {
        const [year = '', ...rest] = date.split('-')
        const monthDay = rest.join('-')
        const isLeapEve = monthDay === leapDayIn(enter) && !isLeapYear(Number(year))
        return isLeapEve ? [monthDay, leapDay] : [monthDay]
      }),
    ),
  ]
}

const leapDay = '02-29'
const leapDayIn = ({ leap_day: day = 'feb_28' }: Enter) => (day === 'feb_28' ? '02-28' : '03-01')

const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

interface Moment {
  zone: string
  from: Date
  until: Date
}

/** The day on whose moment, after `from` and until `until`, the date lets its person in. */
export function momentIn(
  enter: Enter,
  date: string,
  { zone, from, until }: Moment,
): string | undefined {
  return daysBetween(from, until).find((day) => {
    const name = enter.yearly ? date.slice(5) : date
    if (!datesFor(enter, [day]).includes(name)) return false
    const moment = momentOf(enter, day, zone)
    return moment !== undefined && moment > from && moment <= until
  })
}

/** When the day lets people in, on the clock of the zone. */
export const momentOf = ({ at = defaultAt }: Enter, day: string, zone: string): Date | undefined =>
  momentAt(`${day}T${at}`, zone)

interface Dated {
  contactId: Id<'contact'>
  date: string
  zone: string | null
}

export function peopleOfDays(
  db: Db,
  { businessId, definition: { enter } }: Pick<Looking, 'businessId' | 'definition'>,
  entryDays: readonly string[],
): Promise<Dated[]> {
  const key = attributeKey(enter.field ?? '') ?? enter.field ?? ''
  const dates = datesFor(enter, entryDays)
  const start = enter.yearly ? 6 : 1
  const length = enter.yearly ? 5 : 10
  return db.all(sql`
    select id as "contactId", left(attributes ->> ${key}, 10) as date,
      attributes ->> 'time_zone' as zone
    from contacts
    where business_id = ${businessId}
      and substr(attributes ->> ${key}, ${start}, ${length}) = any(${dates}::text[])
      and attributes ->> ${key} ~ ${'^[0-9]{4}-[0-9]{2}-[0-9]{2}'}
    order by id
  `)
}

/** Those whom this day has not let in before. */
async function withoutEntered(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  if (candidates.length === 0) return []
  const rows = await tx.all<{ contactId: Id<'contact'>; cause: string }>(sql`
    select contact_id as "contactId", cause from sequence_entries
    where business_id = ${businessId} and sequence_id = ${sequenceId}
      and contact_id = any(${candidates.map(({ contactId }) => contactId)}::uuid[])
      and cause = any(${[...new Set(candidates.map(({ cause }) => cause))]}::text[])
  `)
  const entered = new Set(rows.map(({ contactId, cause }) => `${contactId} ${cause}`))
  return candidates.filter(({ contactId, cause }) => !entered.has(`${contactId} ${cause}`))
}

async function setLookedAt(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update sequence_wakes set looked_at = ${now}
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
}

/** Lets in who has come into the segment, and returns whether there are more. */
async function askSegment(tx: Tx, looking: Looking, parts: LookParts): Promise<boolean> {
  const { now, hmac, tell, isInDoubt } = parts
  const changed = await takeChanges(tx, looking, atOnce)
  const isWhole = changed.length === 0
  const isAskedToday = looking.askedWholeAt && looking.askedWholeAt > later(now, -days(1))
  if (isWhole && isAskedToday && !isInDoubt) return false
  const filter = looking.segment ?? nobody
  const among = isWhole ? undefined : changed.map(({ contactId }) => contactId)
  await dropMembers(tx, looking, { filter, now, among })
  const added = await addMembers(tx, looking, { filter, now, among, limit: atOnce })
  const { imports } = looking.definition.enter
  const fromImports = new Set(
    changed.flatMap(({ contactId, imported }) => (imported ? [contactId] : [])),
  )
  const byConnection = new Set(
    changed.flatMap((change) => (change.byConnection ? [change.contactId] : [])),
  )
  const candidates = added
    .filter((contactId) => imports || !fromImports.has(contactId))
    .map((contactId) => ({
      contactId,
      cause: `segment ${now.toISOString()}`,
      properties: {},
      byConnection: byConnection.has(contactId),
    }))
  await letIn(tx, looking, { candidates, hmac, now, tell, isInDoubt })
  if (!isWhole || added.length === atOnce) return true
  await setAskedWhole(tx, looking, now)
  return false
}

/** No tag is empty. */
const nobody: Filter = { tag: '' }

interface Question {
  filter: Filter
  now: Date
  /** Only these people; everybody without it. */
  among: readonly Id<'contact'>[] | undefined
}

async function clauseOf(tx: Tx, { businessId }: SequenceKey, { filter, now, among }: Question) {
  const zone = await timeZoneOf(tx, businessId)
  return compileFilter(filter, { businessId, now, zone, ...(among && { range: { among } }) })
}

/** Who fits the filter and was not a member becomes one. */
async function addMembers(
  tx: Tx,
  key: SequenceKey,
  { limit, ...question }: Question & { limit: number },
): Promise<Id<'contact'>[]> {
  const { businessId, sequenceId } = key
  const clause = await clauseOf(tx, key, question)
  const { among = null } = question
  const rows = await tx.all<{ id: Id<'contact'> }>(
    plannedAnew(sqlWithin`
      insert into sequence_members (business_id, sequence_id, contact_id)
      select ${businessId}, ${sequenceId}, c.id from contacts c
      where c.business_id = ${businessId} and ${clause}
        and (${among}::uuid[] is null or c.id = any(${among}::uuid[]))
        and not exists (
          select from sequence_members m
          where m.business_id = ${businessId} and m.sequence_id = ${sequenceId}
            and m.contact_id = c.id
        )
      order by c.id limit ${limit}
      returning contact_id as id
    `),
  )
  return rows.map(({ id }) => id)
}

/** Who no longer fits may enter again when they fit once more. */
async function dropMembers(tx: Tx, key: SequenceKey, question: Question): Promise<void> {
  const { businessId, sequenceId } = key
  const clause = await clauseOf(tx, key, question)
  const { among = null } = question
  await tx.run(
    plannedAnew(sqlWithin`
      delete from sequence_members m
      where m.business_id = ${businessId} and m.sequence_id = ${sequenceId}
        and (${among}::uuid[] is null or m.contact_id = any(${among}::uuid[]))
        and not exists (
          select from contacts c
          where c.business_id = ${businessId} and c.id = m.contact_id and ${clause}
        )
    `),
  )
}

async function setAskedWhole(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update sequence_wakes set asked_whole_at = ${now}
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
}

/** Who is in the segment when the sequence starts is no newcomer: `sequence.enrol` lets them in. */
export async function beginWithMembers(
  tx: Tx,
  key: SequenceKey,
  { filter, now }: { filter: Filter; now: Date },
): Promise<void> {
  const { businessId, sequenceId } = key
  await tx.run(sql`
    delete from sequence_members
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
  await addMembers(tx, key, { filter, now, among: undefined, limit: 10_000_000 })
  await setAskedWhole(tx, key, now)
}
