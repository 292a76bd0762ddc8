import { refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { isGivenUp } from '../../lib/db/db.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { seconds } from '../../lib/time/clock.ts'
import { contactIdInput, noSuchContact } from '../contact.ts'
import { type Filter, sameFilterInput } from '../filters/filter.ts'
import { readFilter } from '../filters/read.ts'
import { findContact } from '../rows.ts'
import { findFloor } from '../search.ts'
import { type CompiledConditions, compileConditions } from './compile-conditions.ts'
import { evidenceOf, shownContact } from './evidence.ts'
import { countEach, evaluateOne, findMisses } from './explain-queries.ts'
import { segmentOf } from './find.ts'
import { bySegment } from './find-business.ts'
import { segmentIdInput } from './segment.ts'
import { type FilterTree, firstConditions, matches, type PlacedCondition } from './split-filter.ts'
import { bySegmentId } from './where.ts'

/** The time limit of one statement; after a timeout only the newest contacts are counted. */
const timeLimit = seconds(5)
/** The contacts that are counted if counting all takes too long. */
const newestCounted = 50_000
/** Contacts examined to find those that the filter nearly matches. */
const contactsExamined = 10_000
const nearest = 10

const explained = Type.Object({
  path: Type.String(),
  condition: Type.Unsafe<object>({ type: 'object' }),
  alone: Type.Optional(Type.Integer()),
  left: Type.Optional(Type.Integer()),
  true: Type.Optional(Type.Boolean()),
  evidence: Type.Optional(
    Type.Unsafe<object>({ type: 'object', description: 'What is known of the contact.' }),
  ),
})

const output = Type.Object({
  fits: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.Integer()),
  newest_only: Type.Optional(Type.Integer()),
  conditions: Type.Array(explained),
  near: Type.Optional(
    Type.Array(
      Type.Object({
        contact_id: Type.String(),
        email: Type.Union([Type.String(), Type.Null()]),
        phone: Type.Union([Type.String(), Type.Null()]),
        conditions: Type.Array(Type.String()),
      }),
    ),
  ),
  ms: Type.Integer(),
})

export const segmentExplain = operation({
  name: 'segment.explain',
  title: 'Explain a segment',
  area: 'contacts',
  everyday: true,
  summary:
    'Why a segment or filter matches: how many match each condition alone and in order, and who almost matches; or with contact_id, why that contact is in or out.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/segments/explain',
  locate: { segment_id: bySegment },
  input: {
    segment_id: Type.Optional(segmentIdInput),
    filter: sameFilterInput,
    contact_id: Type.Optional(contactIdInput),
  },
  output,

  async run(context, { segment_id, filter: filterInput, contact_id }) {
    const began = performance.now()
    const filter = await readGivenFilter(context, { segment_id, filter: filterInput })
    const compiled = await compileConditions(
      context,
      filter,
      segment_id === undefined ? {} : bySegmentId,
    )
    const explanation =
      contact_id === undefined
        ? await explainAll(context, compiled)
        : await explainOne(context, compiled, contact_id)
    return { ...explanation, ms: Math.round(performance.now() - began) }
  },
})

async function readGivenFilter(
  context: BusinessContext,
  { segment_id, filter }: { segment_id?: string | undefined; filter?: object | undefined },
): Promise<Filter> {
  if ((segment_id === undefined) === (filter === undefined)) {
    const text = 'Give either segment_id or filter to say what to explain.'
    throw refuse('invalid_request', text, {
      field: filter ? 'filter' : 'segment_id',
      data: { reason: 'one_of' },
    })
  }
  if (filter !== undefined) return readFilter(filter)
  const segment = await segmentOf(context, segment_id ?? '')
  return segment.filter
}

type Explanation = Omit<Static<typeof output>, 'ms'>

async function explainAll(
  { db, business }: BusinessContext,
  { conditions, tree, clauses }: CompiledConditions,
): Promise<Explanation> {
  const upTo = conditions.map((_, n) => firstConditions(tree, n + 1) ?? tree)
  const trees: FilterTree[] = [...conditions.map((_, leaf) => ({ leaf })), ...upTo]
  const { counts, newestOnly } = await countConditions(db, business.id, { trees, clauses })
  const floor = (await findFloor(db, business.id, null, contactsExamined)) ?? null
  const misses = await findMisses(db, business.id, {
    tree,
    conditions: clauses({ from: floor }),
    downTo: floor,
    limit: nearest,
  })
  return {
    count: counts.at(-1) ?? 0,
    ...(newestOnly && { newest_only: newestCounted }),
    conditions: conditions.map((condition, n) => ({
      ...placeOf(condition),
      alone: counts[n] ?? 0,
      left: counts[conditions.length + n] ?? 0,
    })),
    near: misses.map(({ met, ...contact }) => ({
      ...shownContact(contact),
      conditions: conditions.flatMap(({ path }, n) => (matches(tree, met, n) ? [path] : [])),
    })),
  }
}

const placeOf = ({ path, condition }: PlacedCondition) => ({ path, condition })

interface ConditionCount {
  trees: readonly FilterTree[]
  clauses: CompiledConditions['clauses']
}

async function countConditions(
  db: BusinessContext['db'],
  businessId: Id<'business'>,
  { trees, clauses }: ConditionCount,
) {
  try {
    const whole = { conditions: clauses(), trees, patienceMs: timeLimit }
    return { counts: await countEach(db, businessId, whole), newestOnly: false }
  } catch (error) {
    if (!isGivenUp(error)) throw error
    const downTo = (await findFloor(db, businessId, null, newestCounted)) ?? null
    const newest = { conditions: clauses({ from: downTo }), downTo, trees }
    return { counts: await countEach(db, businessId, newest), newestOnly: true }
  }
}

async function explainOne(
  context: BusinessContext,
  { conditions, tree, clauses, compiling }: CompiledConditions,
  contactId: string,
): Promise<Explanation> {
  const { db, business } = context
  const id = parseId('contact', contactId)
  const contact = id && (await findContact(db, business.id, id))
  if (!contact) throw noSuchContact(contactId)
  const range = { from: id, upTo: id }
  const judged = await evaluateOne(db, business.id, { id, conditions: clauses(range) })
  if (!judged) throw noSuchContact(contactId)
  const judgements = conditions.map(async (condition, n) => ({
    ...placeOf(condition),
    true: judged.met[n] ?? false,
    evidence: await evidenceOf(context, contact, condition.condition, compiling),
  }))
  return { fits: matches(tree, judged.met), conditions: await Promise.all(judgements) }
}
