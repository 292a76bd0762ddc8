import { recordSave } from '../../accounts/saves/last-save.ts'
import { ifVersionInput, refuseStale, versionOfNothing } from '../../accounts/saves/stale-save.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isSingleLine, singleLine } from '../../lib/text/single-line.ts'
import { type Filter, sameFilterInput } from '../filters/filter.ts'
import { readFilter } from '../filters/read.ts'
import { expandSegments } from './expand-segments.ts'
import { segmentOf } from './find.ts'
import { bySegment } from './find-business.ts'
import { previewOf, previewView } from './preview.ts'
import {
  countSegments,
  findNamesake,
  insertSegment,
  lockSegment,
  updateSegment,
} from './queries.ts'
import {
  fieldsOf,
  noSuchSegment,
  type Segment,
  segmentFields,
  segmentIdInput,
  segmentLimits,
} from './segment.ts'
import { heightOf } from './users.ts'

export const segmentSave = operation({
  name: 'segment.save',
  title: 'Save a segment',
  area: 'contacts',
  everyday: true,
  summary:
    'Save a filter as a segment (without segment_id), or change one: what you leave out stays. It counts who matches now and shows ten (audience:read); dry_run only does that. Each use evaluates it again.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: ['POST /v1/segments', 'PATCH /v1/segments/:segment_id'],
  status: 201,
  locate: { segment_id: bySegment },
  input: {
    segment_id: Type.Optional(segmentIdInput),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: segmentLimits.nameLength })),
    filter: sameFilterInput,
    if_version: ifVersionInput,
    dry_run: Type.Optional(Type.Boolean()),
  },
  output: Type.Object({
    ...Type.Partial(Type.Object(segmentFields)).properties,
    preview: Type.Optional(previewView),
  }),

  async run(context, { segment_id, name, filter: filterInput, if_version, dry_run = false }) {
    if (segment_id === undefined && if_version !== undefined) throw versionOfNothing('segment')
    const filter = filterInput === undefined ? undefined : readFilter(filterInput)
    const line = name === undefined ? undefined : singleLine(name)
    if (line !== undefined && !isSingleLine(line)) {
      throw refuse('invalid_request', 'name must be one line of text.', {
        field: 'name',
        data: { reason: 'one_line' },
      })
    }
    const existing = segment_id === undefined ? undefined : await segmentOf(context, segment_id)
    const usedFilter = filter ?? existing?.filter
    if (!usedFilter) throw missingField('filter')
    if (filter) await refuseUnusable(context, filter, existing)
    const mayRead = context.principal.scopes.has('audience:read')
    if (dry_run && !mayRead) throw noRightToRead()
    const preview = mayRead ? await previewOf(context, usedFilter) : undefined
    if (dry_run) return { ...(preview && { preview }) }
    const saved = await save(context, existing, {
      ...(line !== undefined && { name: line }),
      ...(filter && { filter }),
      ...(if_version !== undefined && { ifVersion: if_version }),
    })
    return { ...saved, ...(preview && { preview }) }
  },
})

/**
 * Refuses a filter by which this segment, or another that refers to it, could not be evaluated.
 */
async function refuseUnusable(
  { db, business }: BusinessContext,
  filter: Filter,
  existing: Segment | undefined,
): Promise<void> {
  const location = existing && {
    within: existing.id,
    above: await heightOf(db, business.id, existing.id),
  }
  await expandSegments(db, business.id, filter, location)
}

type Changes = Partial<Pick<Segment, 'name' | 'filter'>>
type VersionedChanges = Changes & { ifVersion?: number }
type Saved = ReturnType<typeof fieldsOf>

function save(
  context: BusinessContext,
  existing: Segment | undefined,
  { ifVersion, ...changes }: VersionedChanges,
): Promise<Saved> {
  return context.write((tx) =>
    existing
      ? changeSegment(tx, context, { id: existing.id, changes, ifVersion })
      : addSegment(tx, context, changes),
  )
}

async function addSegment(
  tx: Tx,
  { business, origin, now }: BusinessContext,
  { name, filter }: Changes,
): Promise<Saved> {
  const businessId = business.id
  if (name === undefined) throw missingField('name')
  if (!filter) throw missingField('filter')
  const { n } = await countSegments(tx, businessId)
  if (n >= segmentLimits.segments) {
    const text = `A business can have ${segmentLimits.segments} segments: delete one first.`
    throw refuse('conflict', text, {
      data: { reason: 'too_many_segments' },
      fix: { tool: 'segment.list', arguments: {} },
    })
  }
  const id = newId('segment')
  const segment = await insertSegment(tx, businessId, { id, name, filter, updatedAt: now })
  if (!segment) throw await nameIsTaken(tx, businessId, { id, name })
  await recordSave(tx, { businessId, objectId: id }, { origin, now })
  return fieldsOf(segment)
}

interface Change {
  id: Id<'segment'>
  changes: Changes
  ifVersion: number | undefined
}

async function changeSegment(
  tx: Tx,
  { business, principal, origin, now }: BusinessContext,
  { id, changes, ifVersion }: Change,
): Promise<Saved> {
  const businessId = business.id
  const before = await lockSegment(tx, businessId, id)
  if (!before) throw noSuchSegment(formatId('segment', id))
  const after = { ...before, ...changes }
  const object = { businessId, objectId: id }
  const stale = await refuseStale(tx, principal, {
    noun: 'segment',
    object,
    ifVersion,
    version: before.version,
    yours: changes,
    theirs: before as unknown as Record<string, unknown>,
    fix: { tool: 'segment.get', arguments: { segment_id: formatId('segment', id) } },
  })
  if (stale) throw stale
  if ((await findNamesake(tx, businessId, after)) !== undefined) {
    throw await nameIsTaken(tx, businessId, after)
  }
  const isOther = JSON.stringify(before.filter) !== JSON.stringify(after.filter)
  if (!isOther && before.name === after.name) return fieldsOf(before)
  const changed = { ...after, version: before.version + 1, updatedAt: now }
  await updateSegment(tx, businessId, changed)
  await recordSave(tx, object, { origin, now })
  return fieldsOf(changed)
}

async function nameIsTaken(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name }: Pick<Segment, 'id' | 'name'>,
): Promise<Refusal> {
  const other = await findNamesake(tx, businessId, { id, name })
  const text = 'Another segment of this business has this name. Choose another, or change that one.'
  const otherId = other && formatId('segment', other.id)
  return refuse('conflict', text, {
    field: 'name',
    data: { reason: 'name_taken' },
    ...(otherId && { fix: { tool: 'segment.get', arguments: { segment_id: otherId } } }),
  })
}

function noRightToRead(): Refusal {
  const scope = 'audience:read'
  const text = `dry_run shows contacts, which needs the scope ${scope}; this connection was not given it.`
  return refuse('scope_required', text, { field: 'dry_run', data: { scope } })
}

function missingField(field: string): Refusal {
  const text = `${field} is missing: a new segment needs it. To change a segment, give its segment_id.`
  return refuse('invalid_request', text, { field, data: { reason: 'missing' } })
}
