/**
 * The effect of a sequence: how many people reached its goal, among those who went through it and
 * among those held out for comparison. Each person counts once, in the group to which their first
 * entry assigned them, whatever they were sent. The time to reach the goal is the same for everybody.
 */
import type { Filter } from '../contacts/filters/filter.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Definition } from './definition.ts'
import { afterDuration } from './program.ts'
import type { SequenceKey } from './sequence.ts'
import { resolveSince } from './since.ts'

/** How long after an entry the goal is judged, where the sequence does not say. */
export const goalWithin = '30 days'

interface Entered {
  id: Id<'entry'>
  contactId: Id<'contact'>
  enteredAt: Date
  isHoldout: boolean
}

/** Notes who is to be judged; of those who entered before, nothing changes. */
export async function noteAssigned(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { goal, holdout = 0, goal_within: within = goalWithin }: Definition,
  entered: readonly Entered[],
): Promise<void> {
  if (!goal || holdout === 0 || entered.length === 0) return
  const judgeAt = ({ enteredAt }: Entered) => afterDuration(enteredAt, within, 'UTC')
  await tx.run(sql`
    insert into sequence_outcomes (business_id, sequence_id, contact_id, entry_id, is_holdout,
      entered_at, judge_at)
    select ${businessId}, ${sequenceId}, new.contact_id, new.entry_id, new.is_holdout,
      new.entered_at, new.judge_at
    from unnest(
      ${entered.map(({ contactId }) => contactId)}::uuid[],
      ${entered.map(({ id }) => id)}::uuid[],
      ${entered.map(({ isHoldout }) => isHoldout)}::boolean[],
      ${entered.map(({ enteredAt }) => enteredAt)}::timestamptz[],
      ${entered.map(judgeAt)}::timestamptz[]
    ) as new (contact_id, entry_id, is_holdout, entered_at, judge_at)
    where not exists (
      select from sequence_entries e
      where e.business_id = ${businessId} and e.contact_id = new.contact_id
        and e.sequence_id = ${sequenceId} and e.id <> new.entry_id and e.id < new.entry_id
    )
    on conflict do nothing
  `)
}

interface Judging {
  hmac: Hmac
  now: Date
}

interface DueOutcome {
  contactId: Id<'contact'>
  enteredAt: Date
  judgeAt: Date
  event: Record<string, unknown>
  /** Null where the entry went with a merged contact, so that nobody knows whether it was reached. */
  definition: Definition | null
}

/** The most people who are judged in one turn, which keeps the sequence locked. */
const perTurn = 20

/** Judges whose time has come. Returns whether there may be more of them. */
export async function judgeOutcomes(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { hmac, now }: Judging,
): Promise<boolean> {
  const due = await tx.all<DueOutcome>(sql`
    select o.contact_id as "contactId", o.entered_at as "enteredAt", o.judge_at as "judgeAt",
      coalesce(e.event, '{}') as event, v.definition
    from (
      select * from sequence_outcomes
      where business_id = ${businessId} and sequence_id = ${sequenceId} and judge_at <= ${now}
      order by judge_at limit ${perTurn}
      for update
    ) o
    left join sequence_entries e on e.business_id = ${businessId}
      and e.sequence_id = ${sequenceId} and e.id = o.entry_id
    left join sequence_versions v on v.business_id = ${businessId} and v.sequence_id = ${sequenceId}
      and v.version = e.version
  `)
  const reached: (boolean | null)[] = []
  for (const { contactId, enteredAt, judgeAt, event, definition } of due) {
    const entry = enteredAt.toISOString()
    const moment = { entry, step: entry, until: judgeAt.toISOString(), event }
    if (!definition?.goal) {
      reached.push(null)
      continue
    }
    const filters = [resolveSince(definition.goal, moment)]
    const at = { businessId, filters, contactIds: [contactId], hmac, now: judgeAt }
    reached.push((await fitsOf(tx, at)).get(contactId) === 1)
  }
  if (due.length === 0) return false
  await tx.run(sql`
    update sequence_outcomes o set reached = new.reached, judge_at = null
    from unnest(
      ${due.map(({ contactId }) => contactId)}::uuid[], ${reached}::boolean[]
    ) as new (contact_id, reached)
    where o.business_id = ${businessId} and o.sequence_id = ${sequenceId}
      and o.contact_id = new.contact_id
  `)
  return due.length === perTurn
}

/** People of one group, and how many of them reached the goal. */
export interface Group {
  people: number
  reached: number
}

const groupView = Type.Object({ people: Type.Integer(), reached: Type.Integer() })

export const effectView = Type.Object({
  within: Type.String(),
  since: Type.String(),
  treated: groupView,
  held_out: groupView,
  waiting: Type.Integer(),
  points: Type.Optional(Type.Object({ from: Type.Number(), to: Type.Number() })),
  shows: Type.Enum(['more', 'fewer', 'no_difference', 'not_enough_people']),
  summary: Type.String(),
})

interface Trial {
  goal: Filter | null
  within: string
  holdout: number
  /** The first of the versions that ask the same as the running one, without another between. */
  version: number
  since: Date
}

/** What the running version compares, and since when: other shares or goals cannot be added up. */
function findTrial(
  db: Db,
  { businessId, sequenceId }: SequenceKey,
  runningVersion: number | null,
): Promise<Trial | undefined> {
  return db.maybe(sql`
    with versions as (
      select version, started_at, definition::jsonb -> 'goal' as goal,
        coalesce(definition ->> 'goal_within', ${goalWithin}) as within,
        coalesce((definition ->> 'holdout')::int, 0) as holdout
      from sequence_versions
      where business_id = ${businessId} and sequence_id = ${sequenceId}
        and version <= ${runningVersion}
    )
    select r.goal, r.within, r.holdout, f.version, f.started_at as since
    from versions r
    cross join lateral (
      select v.version, v.started_at from versions v
      where v.version > coalesce((
        select max(o.version) from versions o
        where (o.goal, o.within, o.holdout) is distinct from (r.goal, r.within, r.holdout)
      ), 0)
      order by v.version limit 1
    ) f
    where r.version = ${runningVersion}
  `)
}

/**
 * The effect so far, of those who entered by the running version, and by those before it that had
 * its goal, window and share. Undefined where there is no goal or nobody is held out.
 */
export async function readEffect(
  db: Db,
  { businessId, sequenceId }: SequenceKey,
  runningVersion: number | null,
) {
  const trial = await findTrial(db, { businessId, sequenceId }, runningVersion)
  if (!trial?.goal || trial.holdout === 0) return undefined
  const { within, since } = trial
  const rows = await db.all<Group & { isHoldout: boolean; waiting: number }>(sql`
    select o.is_holdout as "isHoldout", count(o.reached)::int as people,
      (count(*) filter (where o.reached))::int as reached,
      (count(*) filter (where o.judge_at is not null))::int as waiting
    from sequence_outcomes o
    join sequence_entries e on e.business_id = o.business_id and e.sequence_id = o.sequence_id
      and e.id = o.entry_id
    where o.business_id = ${businessId} and o.sequence_id = ${sequenceId}
      and e.version between ${trial.version} and ${runningVersion}
    group by 1
  `)
  const groupOf = (isHoldout: boolean): Group => {
    const { people = 0, reached = 0 } = rows.find((row) => row.isHoldout === isHoldout) ?? {}
    return { people, reached }
  }
  const [treated, heldOut] = [groupOf(false), groupOf(true)]
  const interval = intervalOf(treated, heldOut)
  const shows = showsOf(interval)
  return {
    within,
    since: since.toISOString(),
    treated,
    held_out: heldOut,
    waiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
    ...(interval && { points: { from: tenth(interval.from), to: tenth(interval.to) } }),
    shows,
    summary: inWords({ treated, heldOut, interval, within }),
  }
}

export interface Interval {
  /** Percentage points. */
  from: number
  to: number
}

/** The least of those who reached the goal, and of those who did not, for an interval to mean something. */
const leastOfEach = 10

/**
 * The 95 % interval of the difference in percentage points, by Newcombe's hybrid score method
 * (Statistics in Medicine 17, 1998, method 10). Undefined for too few people.
 */
export function intervalOf(treated: Group, heldOut: Group): Interval | undefined {
  const reached = treated.reached + heldOut.reached
  const people = treated.people + heldOut.people
  const isEnough =
    Math.min(treated.people, heldOut.people) >= 5 * leastOfEach &&
    Math.min(reached, people - reached) >= leastOfEach
  if (!isEnough) return undefined
  const [a, b] = [scoreOf(treated), scoreOf(heldOut)]
  const difference = a.share - b.share
  return {
    from: 100 * (difference - Math.hypot(a.share - a.low, b.high - b.share)),
    to: 100 * (difference + Math.hypot(a.high - a.share, b.share - b.low)),
  }
}

/** The quantile of the normal distribution for 95 %. */
const z = 1.959_963_984_540_054

/** Wilson's score interval of a share. */
function scoreOf({ people, reached }: Group) {
  const share = reached / people
  const middle = share + z ** 2 / (2 * people)
  const half = z * Math.sqrt((share * (1 - share)) / people + z ** 2 / (4 * people ** 2))
  const whole = 1 + z ** 2 / people
  return { share, low: (middle - half) / whole, high: (middle + half) / whole }
}

export function showsOf(interval: Interval | undefined) {
  if (!interval) return 'not_enough_people' as const
  if (interval.from > 0) return 'more' as const
  return interval.to < 0 ? ('fewer' as const) : ('no_difference' as const)
}

const tenth = (points: number) => Math.round(points * 10) / 10

interface EffectLine {
  treated: Group
  heldOut: Group
  interval: Interval | undefined
  within: string
}

function inWords({ treated, heldOut, interval, within }: EffectLine): string {
  if (!interval) {
    return `Not enough people yet: of ${treated.people} who got it ${treated.reached} reached the goal within ${within}, of ${heldOut.people} held out ${heldOut.reached}.`
  }
  const percent = ({ people, reached }: Group) => `${((100 * reached) / people).toFixed(1)} %`
  const shares = `${percent(treated)} of those who got it reached the goal within ${within}, ${percent(heldOut)} of those who did not`
  const span = `between ${tenth(interval.from)} and ${tenth(interval.to)} points`
  return showsOf(interval) === 'no_difference'
    ? `${shares}: no difference that is sure (${span}).`
    : `${shares}: ${span} by it.`
}
