/** The contacts that the page shows, as arguments of `export.create`. */
import { type ContactsSearch, joinedFilter } from './search.ts'

export function exportOf({ q, consent, filter, segment }: ContactsSearch) {
  const joined = joinedFilter({ consent, filter })
  return {
    ...(q !== undefined && { q }),
    ...(segment !== undefined && { segment_id: segment }),
    ...(joined && { filter: joined }),
  }
}
