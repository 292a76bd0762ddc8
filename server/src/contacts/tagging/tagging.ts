/**
 * A tagging: adding tags to, or removing them from, all contacts that a filter matches, with its
 * progress.
 */
import { formatId, type Id } from '../../core/ids.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { Filter } from '../filters/filter.ts'

export interface Tagging {
  id: Id<'tagging'>
  filter: Filter
  addTags: string[]
  removeTags: string[]
  contacts: number
  looked: number
  changed: number
  refused: number
  lookedTo: Id<'contact'> | null
  askedAt: Date
  finishedAt: Date | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export const taggingLimits = {
  /** Running taggings per business. */
  underWay: 50,
  /** Days for which a finished tagging can be read. */
  keptDays: 30,
} as const

export const taggingFields = {
  tagging_id: Type.String(),
  state: Type.Enum(['running', 'done']),
  contacts: Type.Integer(),
  looked: Type.Integer(),
  changed: Type.Integer(),
  refused: Type.Integer(),
}

export function fieldsOf(tagging: Tagging) {
  const { id, contacts, looked, changed, refused, finishedAt } = tagging
  return {
    tagging_id: formatId('tagging', id),
    state: finishedAt ? ('done' as const) : ('running' as const),
    contacts,
    looked,
    changed,
    refused,
  }
}
