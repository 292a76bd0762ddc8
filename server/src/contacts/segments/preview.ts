import { timeZoneOf } from '../../accounts/businesses/time-zone.ts'
import type { Id } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { untrusted } from '../../core/untrusted.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type Condition, type Filter, isHappening } from '../filters/filter.ts'
import { spanOf } from '../filters/times.ts'
import { conditionsIn, warningsOf } from '../filters/warnings.ts'
import { countContacts } from '../search.ts'
import { countMatches, findSomeMatches } from './count.ts'
import { shownContact } from './evidence.ts'
import { unknownNamesIn } from './unknown-names.ts'
import { compileCondition } from './where.ts'

/** How many people a preview shows. */
const shownPeople = 10

/** The preview, for callers who may read contacts. */
export const previewView = Type.Object({
  count: Type.Integer(),
  at_least: Type.Boolean(),
  people: Type.Array(
    Type.Object({
      contact_id: Type.String(),
      email: Type.Union([Type.String(), Type.Null()]),
      phone: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  warnings: Type.Array(Type.String()),
  untrusted: Type.Optional(
    untrusted({
      spellings: Type.Array(
        Type.Object({
          path: Type.String(),
          fix: Type.String(),
          contacts: Type.Integer(),
        }),
      ),
    }),
  ),
})

export async function previewOf(
  context: BusinessContext,
  filter: Filter,
): Promise<Static<typeof previewView>> {
  const { db, business } = context
  const where = await compileCondition(context, filter)
  const [{ fitting, isPartial }, all, people, unknown, deletedHistory] = await Promise.all([
    countMatches(context, where),
    countContacts(db, business.id),
    findSomeMatches(context, where, shownPeople),
    unknownNamesIn(db, business.id, filter),
    deletedHistoryIn(context, filter),
  ])
  const warnings = [
    ...(fitting === 0 && !isPartial ? ['It fits nobody at this moment.'] : []),
    ...(fitting === all && all > 0 ? ['It fits every contact.'] : []),
    ...unknown.warnings,
    ...warningsOf(filter),
    ...deletedHistory,
  ]
  return {
    count: fitting,
    at_least: isPartial,
    people: people.map(shownContact),
    warnings,
    ...(unknown.spellings.length > 0 && { untrusted: { spellings: unknown.spellings } }),
  }
}

/** Says where a filter asks for what retention has deleted. */
async function deletedHistoryIn(
  { db, now, business }: BusinessContext,
  filter: Filter,
): Promise<string[]> {
  const doings = conditionsIn(filter).flatMap(doingsOf)
  if (doings.length === 0) return []
  const start = await keptSince(db, business.id)
  if (!start) return []
  const zone = await timeZoneOf(db, business.id)
  const missing = doings.flatMap(({ event, window }) => {
    const since = isHappening(event) ? start.historyFrom : start.eventsFrom
    const { from } = spanOf(window, { now, zone })
    return since !== null && (from === undefined || from < since) ? [since] : []
  })
  const latest = missing.toSorted((a, b) => b.getTime() - a.getTime())[0]
  if (!latest) return []
  const day = latest.toISOString().slice(0, 10)
  return [
    `What people did before ${day} was deleted by the retention of this business, and is not seen.`,
  ]
}

interface Doing {
  event: string
  window: Parameters<typeof spanOf>[0]
}

function doingsOf(condition: Condition): Doing[] {
  if ('did' in condition) return [{ event: condition.did, window: condition }]
  return 'did_not' in condition ? [{ event: condition.did_not, window: condition }] : []
}

interface KeptSince {
  historyFrom: Date | null
  eventsFrom: Date | null
}

function keptSince(db: Db, businessId: Id<'business'>): Promise<KeptSince | undefined> {
  return db.maybe(sql`
    select history_from as "historyFrom", events_from as "eventsFrom" from retention_runs
    where business_id = ${businessId} and (history_from is not null or events_from is not null)
  `)
}
