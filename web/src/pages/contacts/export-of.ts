/** The contacts that the page shows, as arguments of `export.create`. */
import type { Filter } from '../../parts/filter/model.ts'
import { type ContactsSearch, joinedFilter } from './search.ts'

const searched = ['email', 'phone', 'name', 'first_name', 'last_name']

export function exportOf({ q, consent, filter, segment }: ContactsSearch) {
  const joined = joinedFilter({ consent, filter })
  const filters: Filter[] = [
    ...(joined ? [joined] : []),
    ...(q === undefined
      ? []
      : [{ or: searched.map((field) => ({ field, op: 'contains', value: q })) }]),
  ]
  const [first] = filters
  return {
    ...(segment !== undefined && { segment_id: segment }),
    ...(first && { filter: filters.length > 1 ? { and: filters } : first }),
  }
}
