/** Copies the segments of a business into a new one, and the topics that forms and segments name. */
import type { Copied, Copy, LeftOut } from '../../core/copying.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Filter } from '../filters/filter.ts'

export async function copyTopics(tx: Tx, { from, to, now }: Copy): Promise<void> {
  await insertCopiedTopics(tx, to, { from, now })
}

/**
 * A segment is left out if its filter names what the new business does not have: a campaign, or a
 * template, form or segment that is not copied.
 */
export async function copySegments(tx: Tx, { from, to, now, ids }: Copy): Promise<Copied> {
  const all = (await selectSegments(tx, from)).map((segment) => ({
    ...segment,
    publicId: formatId('segment', segment.id),
    copy: newId('segment'),
  }))
  for (const { publicId, copy } of all) ids.set(publicId, formatId('segment', copy))
  const leftOut: LeftOut[] = []
  let remaining = all
  // A segment that is left out may hinder those that name it, so this ends when nothing changes.
  for (let before = -1; before !== remaining.length; ) {
    before = remaining.length
    remaining = remaining.filter(({ name, filter, publicId }) => {
      const why = hindranceOf(filter, ids)
      if (why === undefined) return true
      ids.delete(publicId)
      leftOut.push({ kind: 'segments', name, why })
      return false
    })
  }
  const copies = remaining.map(({ copy, name, filter }) => {
    return { id: copy, name, filter: mappedFilter(filter, ids) }
  })
  await insertSegments(tx, to, copies, now)
  return { count: copies.length, leftOut }
}

/** The fields of conditions that hold an id, without that of a campaign, which is never copied. */
const idFields = ['segment', 'template_id', 'form_id'] as const

/** Why the filter cannot say the same in the other business; undefined if it can. */
function hindranceOf(filter: Filter, ids: ReadonlyMap<string, string>): LeftOut['why'] | undefined {
  for (const condition of conditionsOf(filter)) {
    if (Object.hasOwn(condition, 'campaign_id')) return 'names_campaign'
    if (idFields.some((field) => field in condition && !ids.has(condition[field] ?? ''))) {
      return 'names_what_is_not_copied'
    }
  }
  return undefined
}

type Ids = { [field in (typeof idFields)[number]]?: string }

/** Filters are nested at most `filterLimits.depth` deep. */
function conditionsOf(filter: Filter): Ids[] {
  if ('not' in filter) return conditionsOf(filter.not)
  if ('and' in filter) return filter.and.flatMap(conditionsOf)
  if ('or' in filter) return filter.or.flatMap(conditionsOf)
  return [filter as Ids]
}

function mappedFilter(filter: Filter, ids: ReadonlyMap<string, string>): Filter {
  if ('not' in filter) return { not: mappedFilter(filter.not, ids) }
  if ('and' in filter) return { and: filter.and.map((entry) => mappedFilter(entry, ids)) }
  if ('or' in filter) return { or: filter.or.map((entry) => mappedFilter(entry, ids)) }
  const named = filter as Ids
  const mapped = idFields.flatMap((field) => {
    const id = named[field] === undefined ? undefined : ids.get(named[field])
    return id === undefined ? [] : [[field, id] as const]
  })
  return { ...filter, ...Object.fromEntries(mapped) }
}

/** Topics keep their keys, by which forms and segments name them. */
function insertCopiedTopics(
  tx: Tx,
  businessId: Id<'business'>,
  { from, now }: { from: Id<'business'>; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into topics (business_id, key, name, description, created_at, updated_at, archived_at,
      position)
    select ${businessId}, key, name, description, created_at, ${now}, archived_at, position
    from topics where business_id = ${from}
  `)
}

interface SegmentToCopy {
  id: Id<'segment'>
  name: string
  filter: Filter
}

function selectSegments(tx: Tx, businessId: Id<'business'>): Promise<SegmentToCopy[]> {
  return tx.all(sql`
    select id, name, filter from segments
    where business_id = ${businessId} and deleted_at is null
    order by id
  `)
}

function insertSegments(
  tx: Tx,
  businessId: Id<'business'>,
  segments: readonly SegmentToCopy[],
  now: Date,
): Promise<number> {
  const rows = segments.map(({ id, name, filter }) => ({
    id,
    name,
    filter: JSON.stringify(filter),
  }))
  return tx.run(sql`
    insert into segments (business_id, id, name, filter, version, created_at, updated_at)
    select ${businessId}, id, name, filter::json, 1, ${now}, ${now}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ filter }) => filter)}::text[]) as copied (id, name, filter)
  `)
}
