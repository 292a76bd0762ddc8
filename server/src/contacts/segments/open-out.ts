/** Puts what the segments of a filter stand for in their place, so that it can be asked. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Fault, faultAt } from '../filters/faults.ts'
import { type Filter, filterLimits } from '../filters/filter.ts'
import { findSegments } from './queries.ts'
import type { Segment } from './segment.ts'

const noSuch = 'and this business has no such segment.'

type Known = ReadonlyMap<string, Pick<Segment, 'name' | 'filter'>>

/**
 * The filter without segments, or a refusal with all that is wrong: a segment that the business
 * has not, one that leads back to itself, more than three within each other. `at`: the field that
 * the filter stands in; `within`: the segment that it is to be the filter of, and `above`: how many
 * segments, one within the other, lead to that.
 */
export async function openOut(
  db: Db,
  businessId: Id<'business'>,
  filter: Filter,
  { at = 'filter', isOwn = true, within, above = 0 }: Place = {},
): Promise<Filter | Refusal> {
  if (namedIn(filter).length === 0) return filter
  const known = await segmentsWithin(db, businessId, filter)
  const faults: Fault[] = []
  const trail = within ? [formatId('segment', within)] : []
  const whole = opened(filter, { at, isOwn, trail, depth: above, known, faults })
  const count = countOf(whole)
  if (count > filterLimits.conditionsInAll) {
    const most = filterLimits.conditionsInAll
    faults.push(faultAt(at, `has ${count} conditions with those of its segments: at most ${most}.`))
  }
  const [first] = faults
  if (!first) return whole
  const isMissing = faults.every(({ message }) => message.endsWith(noSuch))
  return refuse(
    isMissing ? 'not_found' : 'invalid_request',
    faults.map(({ message }) => message).join(' '),
    {
      field: first.path,
      data: { faults },
      fix: { tool: 'segment.list', arguments: {} },
    },
  )
}

export interface Place {
  at?: string
  /** False where the field has no filter but a segment's id. */
  isOwn?: boolean
  within?: Id<'segment'>
  above?: number
}

/** The ids of segments that it names itself. */
export function namedIn(filter: Filter): string[] {
  if ('not' in filter) return namedIn(filter.not)
  if ('and' in filter) return filter.and.flatMap(namedIn)
  if ('or' in filter) return filter.or.flatMap(namedIn)
  return 'segment' in filter ? [filter.segment] : []
}

/** All that it leads to, down to one more than there may be within each other. */
async function segmentsWithin(db: Db, businessId: Id<'business'>, filter: Filter): Promise<Known> {
  const known = new Map<string, Pick<Segment, 'name' | 'filter'>>()
  let named = namedIn(filter)
  for (let depth = 0; depth < filterLimits.segments && named.length > 0; depth += 1) {
    const ids = named.flatMap((one) => parseId('segment', one) ?? [])
    const found = await findSegments(db, businessId, ids)
    for (const one of found) known.set(formatId('segment', one.id), one)
    named = found.flatMap((one) => namedIn(one.filter)).filter((one) => !known.has(one))
  }
  return known
}

interface Opening {
  at: string
  /** What stands within a segment is not the caller's: where that stands is told. */
  isOwn: boolean
  /** The segments that lead here. */
  trail: readonly string[]
  depth: number
  known: Known
  faults: Fault[]
}

function opened(filter: Filter, opening: Opening): Filter {
  const { at, isOwn } = opening
  const place = (part: string) => (isOwn ? { ...opening, at: `${at}.${part}` } : opening)
  if ('not' in filter) return { not: opened(filter.not, place('not')) }
  if ('and' in filter) {
    return { and: filter.and.map((one, n) => opened(one, place(`and[${n}]`))) }
  }
  if ('or' in filter) return { or: filter.or.map((one, n) => opened(one, place(`or[${n}]`))) }
  return 'segment' in filter ? openedSegment(filter, opening) : filter
}

function openedSegment(condition: { segment: string }, opening: Opening): Filter {
  const { at, isOwn, trail, depth, known, faults } = opening
  const { segment: id } = condition
  const place = isOwn ? `${at}.segment` : at
  if (trail.includes(id)) {
    faults.push(faultAt(place, `leads back to itself: ${[...trail, id].join(' → ')}.`))
    return condition
  }
  if (depth >= filterLimits.segments) {
    const rule = `leads to more than ${filterLimits.segments} segments within each other.`
    faults.push(faultAt(place, rule))
    return condition
  }
  const segment = known.get(id)
  if (!segment) {
    faults.push(faultAt(place, `names ${id}, ${noSuch}`))
    return condition
  }
  const within = { at: place, isOwn: false, trail: [...trail, id], depth: depth + 1 }
  return opened(segment.filter, { ...opening, ...within })
}

function countOf(filter: Filter): number {
  if ('not' in filter) return countOf(filter.not)
  const parts = 'and' in filter ? filter.and : 'or' in filter ? filter.or : undefined
  return parts ? parts.reduce((sum, one) => sum + countOf(one), 0) : 1
}
