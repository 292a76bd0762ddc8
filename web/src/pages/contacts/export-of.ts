/** The contacts that the page shows, as arguments of `export.create`. */
import { type ContactsSearch, joinedFilter } from './search.ts'

export function exportOf({ q, state, filter, segment }: ContactsSearch) {
  const joined = joinedFilter({ state, filter })
  return {
    ...(q !== undefined && { q }),
    ...(segment !== undefined && { segment_id: segment }),
    ...(joined && { filter: joined }),
  }
}
