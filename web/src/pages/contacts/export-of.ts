/** The contacts that the page shows, as arguments of `export.create`. */
import type { Filter } from '../../parts/filter/model.ts'
import type { ContactsSearch } from './search.ts'

const searched = ['email', 'phone', 'name']

export function exportOf({ q, consent, filter, segment }: ContactsSearch) {
  const filters: Filter[] = [
    ...(consent ? [{ consent: 'email', is: consent }] : []),
    ...(filter ? [filter] : []),
    ...(q === undefined
      ? []
      : [{ or: searched.map((field) => ({ field, op: 'starts_with', value: q })) }]),
  ]
  const [first] = filters
  return {
    ...(segment !== undefined && { segment_id: segment }),
    ...(first && { filter: filters.length > 1 ? { and: filters } : first }),
  }
}
