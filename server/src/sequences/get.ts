import { revenueView, sequenceRevenue } from '../contacts/own-events/revenue.ts'
import type { Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Definition } from './definition.ts'
import { effectView, readEffect } from './effect.ts'
import { bySequence, fieldsOf, readSequence, sequenceFields, sequenceIdInput } from './sequence.ts'

/** The newest people whose mails are counted, so that a large sequence is read in a moment. */
const mostPeople = 20_000

export const sequenceGet = operation({
  name: 'sequence.get',
  title: 'Get an automation',
  area: 'campaigns',
  summary:
    'A sequence with its rule and steps, how many people are before each step, and what became of its mails.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/sequences/:sequence_id',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput },
  output: Type.Object({
    ...sequenceFields,
    people: Type.Object({
      entered: Type.Integer(),
      inside: Type.Integer(),
      finished: Type.Integer(),
      holdout: Type.Integer(),
      left: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
      at_step: Type.Array(
        Type.Object({ version: Type.Integer(), step: Type.Integer(), count: Type.Integer() }),
      ),
    }),
    versions: Type.Array(
      Type.Object({
        version: Type.Integer(),
        started_at: Type.String(),
        inside: Type.Integer(),
        steps: Type.Array(Type.Unsafe<object>({ type: 'object' })),
      }),
    ),
    results: Type.Array(
      Type.Object({
        version: Type.Integer(),
        step: Type.Integer(),
        done: Type.Integer(),
        skipped: Type.Integer(),
        sent: Type.Integer(),
        opened: Type.Integer(),
        clicked: Type.Integer(),
      }),
    ),
    effect: Type.Optional(effectView),
    revenue: revenueView,
    results_of: Type.Integer({ description: `People, the newest ${mostPeople} at most.` }),
    ordered_by_you: Type.Boolean(),
  }),

  async run({ db, business, principal }, { sequence_id }) {
    const sequence = await readSequence(db, business.id, sequence_id)
    const rows = await countPeople(db, business.id, sequence.id)
    const versions = await newestVersions(db, business.id, sequence.id)
    const results = await resultsOf(db, business.id, sequence.id)
    const key = { businessId: business.id, sequenceId: sequence.id }
    const effect = await readEffect(db, key, sequence.runningVersion)
    const revenue = await sequenceRevenue(db, business.id, sequence.id)
    const insideOf = (version: number) =>
      rows.reduce(
        (sum, row) => sum + (row.state === 'active' && row.version === version ? row.count : 0),
        0,
      )
    const sumOf = (state: string) =>
      rows.reduce((sum, row) => sum + (row.state === state ? row.count : 0), 0)
    const leavers = Map.groupBy(
      rows.filter(({ state }) => state === 'left'),
      ({ reason }) => reason ?? 'other',
    )
    return {
      ...fieldsOf(sequence),
      people: {
        entered: rows.reduce((sum, row) => sum + (row.reason === 'moved' ? 0 : row.count), 0),
        inside: sumOf('active'),
        finished: sumOf('finished'),
        holdout: sumOf('holdout'),
        left: [...leavers].map(([reason, group]) => ({
          reason,
          count: group.reduce((sum, { count }) => sum + count, 0),
        })),
        at_step: rows
          .filter(({ state }) => state === 'active')
          .map(({ version, step, count }) => ({ version, step, count })),
      },
      versions: versions.map(({ version, startedAt, definition }) => ({
        version,
        started_at: startedAt.toISOString(),
        inside: insideOf(version),
        steps: [...definition.steps],
      })),
      results: results.steps,
      ...(effect && { effect }),
      revenue,
      results_of: results.people,
      ordered_by_you: sequence.wanted?.userId === principal.userId,
    }
  },
})

const versionsShown = 10

function newestVersions(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'sequence'>,
): Promise<{ version: number; startedAt: Date; definition: Definition }[]> {
  return db.all(sql`
    select version, started_at as "startedAt", definition from sequence_versions
    where business_id = ${businessId} and sequence_id = ${id}
    order by version desc limit ${versionsShown}
  `)
}

interface StepResults {
  version: number
  step: number
  done: number
  skipped: number
  sent: number
  opened: number
  clicked: number
}

/** Machines that open and click are not counted. */
function resultsOf(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'sequence'>,
): Promise<{ people: number; steps: StepResults[] }> {
  return db.one(sql`
    with newest as materialized (
      select id, version from sequence_entries
      where business_id = ${businessId} and sequence_id = ${id}
      order by id desc limit ${mostPeople}
    ), past as materialized (
      select n.version, s.step::int as step, s.outcome, s.message_id
      from newest n join sequence_steps s on s.business_id = ${businessId}
        and s.sequence_id = ${id} and s.entry_id = n.id
    ), by_step as (
      select p.version, p.step, (count(*) filter (where p.outcome = 'done'))::int as done,
        (count(*) filter (where p.outcome = 'skipped'))::int as skipped,
        (count(*) filter (where m.state in ('accepted', 'delivered', 'bounced')))::int as sent,
        (count(*) filter (where v.opened))::int as opened,
        (count(*) filter (where v.clicked))::int as clicked
      from past p
      left join messages m on m.business_id = ${businessId} and m.id = p.message_id
      left join lateral (
        select bool_or(e.type = 'opened') as opened, bool_or(e.type = 'clicked') as clicked
        from message_events e
        where e.business_id = ${businessId} and e.message_id = m.id
          and e.type in ('opened', 'clicked') and e.machine is not true
      ) v on true
      group by 1, 2
    )
    select (select count(*)::int from newest) as people,
      coalesce((select json_agg(by_step order by version, step) from by_step), '[]') as steps
  `)
}

interface PeopleCount {
  state: string
  reason: string | null
  version: number
  step: number
  count: number
}

/** People by state; of those inside by their next step, of the others by the reason. */
function countPeople(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'sequence'>,
): Promise<PeopleCount[]> {
  return db.all(sql`
    select state, reason, case when state = 'active' then version else 0 end as version,
      case when state = 'active' then step::int else 0 end as step, count(*)::int as count
    from sequence_entries where business_id = ${businessId} and sequence_id = ${id}
    group by 1, 2, 3, 4 order by 1, 3, 4, 2
  `)
}
