/** Replaces the segments that a filter names with their filters, so that it can be compiled. */
import { refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Fault, faultAt } from '../filters/faults.ts'
import { type Filter, filterLimits } from '../filters/filter.ts'
import { findSegments } from './queries.ts'
import type { Segment } from './segment.ts'

const noSuch = 'and this business has no such segment.'

type SegmentsById = ReadonlyMap<string, Pick<Segment, 'name' | 'filter'>>

/** The place of a filter: for the paths of errors, and for the limit on nested segments. */
export interface FilterLocation {
  /** The field that holds the filter. */
  at?: string
  /** False where the field holds a segment's id and not a filter of the caller's own. */
  isOwn?: boolean
  /** The segment that gets this filter. */
  within?: Id<'segment'>
  /** How many segments, each naming the next, lead to `within`. */
  above?: number
}

/**
 * The filter with each segment replaced by its own filter, or a refusal with all faults: a segment
 * that does not exist, one that leads back to itself, more than three inside each other, or too
 * many conditions in all.
 */
export async function expandSegments(
  db: Db,
  businessId: Id<'business'>,
  filter: Filter,
  { at = 'filter', isOwn = true, within, above = 0 }: FilterLocation = {},
): Promise<Filter> {
  if (segmentsNamedBy(filter).length === 0) return filter
  const segments = await loadSegments(db, businessId, filter)
  const expansion: Expansion = {
    segments,
    faults: [],
    conditionsLeft: filterLimits.conditionsInAll,
  }
  const trail = within ? [formatId('segment', within)] : []
  const whole = expand(filter, { at, isOwn, trail, depth: above }, expansion)
  if (expansion.conditionsLeft < 0) {
    const maximum = filterLimits.conditionsInAll
    expansion.faults.push(
      faultAt(at, `has more than ${maximum} conditions with those of its segments.`),
    )
  }
  refuseFaults(expansion.faults)
  return whole
}

function refuseFaults(faults: readonly Fault[]): void {
  const [first] = faults
  if (!first) return
  const isMissing = faults.every(({ message }) => message.endsWith(noSuch))
  throw refuse(
    isMissing ? 'not_found' : 'invalid_request',
    faults.map(({ message }) => message).join(' '),
    {
      field: first.path,
      data: { reason: 'wrong_filter', faults },
      fix: { tool: 'segment.list', arguments: {} },
    },
  )
}

/** The ids of the segments that a filter names, without those that these segments name in turn. */
export function segmentsNamedBy(filter: Filter): string[] {
  if ('not' in filter) return segmentsNamedBy(filter.not)
  if ('and' in filter) return filter.and.flatMap(segmentsNamedBy)
  if ('or' in filter) return filter.or.flatMap(segmentsNamedBy)
  return 'segment' in filter ? [filter.segment] : []
}

/** Loads every segment that the filter leads to, one level at a time. */
async function loadSegments(
  db: Db,
  businessId: Id<'business'>,
  filter: Filter,
): Promise<SegmentsById> {
  const loaded = new Map<string, Pick<Segment, 'name' | 'filter'>>()
  let segmentIds = segmentsNamedBy(filter)
  for (let depth = 0; depth < filterLimits.segments && segmentIds.length > 0; depth += 1) {
    const ids = [...new Set(segmentIds)].flatMap((text) => parseId('segment', text) ?? [])
    const segments = await findSegments(db, businessId, ids)
    for (const segment of segments) loaded.set(formatId('segment', segment.id), segment)
    segmentIds = segments
      .flatMap((segment) => segmentsNamedBy(segment.filter))
      .filter((text) => !loaded.has(text))
  }
  return loaded
}

/** The state that one expansion shares between all of its parts. */
interface Expansion {
  readonly segments: SegmentsById
  readonly faults: Fault[]
  /** Falls below zero if the limit is exceeded; nothing is expanded after that. */
  conditionsLeft: number
}

interface Position {
  at: string
  /** Errors in a segment's filter, which is not the caller's, name the place of the segment. */
  isOwn: boolean
  /** The ids of the segments that lead here. */
  trail: readonly string[]
  depth: number
}

function expand(filter: Filter, position: Position, expansion: Expansion): Filter {
  if (expansion.conditionsLeft < 0) return filter
  const { at, isOwn } = position
  const inside = (part: string) => (isOwn ? { ...position, at: `${at}.${part}` } : position)
  if ('not' in filter) return { not: expand(filter.not, inside('not'), expansion) }
  if ('and' in filter) {
    return { and: filter.and.map((entry, n) => expand(entry, inside(`and[${n}]`), expansion)) }
  }
  if ('or' in filter) {
    return { or: filter.or.map((entry, n) => expand(entry, inside(`or[${n}]`), expansion)) }
  }
  if ('segment' in filter) return expandSegment(filter, position, expansion)
  expansion.conditionsLeft -= 1
  return filter
}

function expandSegment(
  condition: { segment: string },
  { at, isOwn, trail, depth }: Position,
  expansion: Expansion,
): Filter {
  const { segment: id } = condition
  const location = isOwn ? `${at}.segment` : at
  const fail = (message: string): Filter => {
    expansion.faults.push(faultAt(location, message))
    expansion.conditionsLeft -= 1
    return condition
  }
  if (trail.includes(id)) return fail(`leads back to itself: ${[...trail, id].join(' → ')}.`)
  if (depth >= filterLimits.segments) {
    return fail(`leads to more than ${filterLimits.segments} segments within each other.`)
  }
  const segment = expansion.segments.get(id)
  if (!segment) return fail(`names ${id}, ${noSuch}`)
  const inside = { at: location, isOwn: false, trail: [...trail, id], depth: depth + 1 }
  return expand(segment.filter, inside, expansion)
}
