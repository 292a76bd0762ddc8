/** A segment: a filter with a name. Its members are computed each time it is used. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { Filter } from '../filters/filter.ts'

export interface Segment {
  id: Id<'segment'>
  name: string
  filter: Filter
  version: number
  createdAt: Date
  updatedAt: Date
}

export const segmentLimits = {
  nameLength: 100,
  /** Segments per business. */
  segments: 500,
} as const

export const segmentIdInput = Type.String({ pattern: '^seg_[0-9a-hjkmnp-tv-z]{26}$' })

export const segmentFields = {
  segment_id: Type.String(),
  name: Type.String(),
  filter: Type.Unsafe<object>({ type: 'object', description: 'As it was written.' }),
  version: Type.Integer(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
}

export function fieldsOf(segment: Segment) {
  return {
    segment_id: formatId('segment', segment.id),
    name: segment.name,
    filter: segment.filter,
    version: segment.version,
    created_at: segment.createdAt.toISOString(),
    updated_at: segment.updatedAt.toISOString(),
  }
}

/** Another business's segment gets the same answer as one that never existed. */
export function noSuchSegment(segmentId: string): Refusal {
  return refuse('not_found', `This business has no segment ${segmentId}.`, {
    field: 'segment_id',
    fix: { tool: 'segment.list', arguments: {} },
  })
}
