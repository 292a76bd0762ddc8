/** What the address of the page says: whom it shows, and what is open. */
import type { Filter } from '../../parts/filter/model.ts'

export const consents = ['subscribed', 'unsubscribed', 'none'] as const

export interface ContactsSearch {
  q?: string
  consent?: (typeof consents)[number]
  filter?: Filter
  segment?: string
  /** The contact in the drawer. */
  open?: string
  /** The dialog for a new contact. */
  add?: boolean
  /** The rows of the filter are shown. */
  edit?: boolean
}

/** Anything else in the address is left out. */
export function readContactsSearch(search: Record<string, unknown>): ContactsSearch {
  const { q, consent, filter, segment, open, add, edit } = search
  const known = consents.find((one) => one === consent)
  const isFilter = typeof filter === 'object' && filter !== null && !Array.isArray(filter)
  return {
    // A search for digits is parsed as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
    ...(known && { consent: known }),
    ...(isFilter && { filter: filter as Filter }),
    ...(typeof segment === 'string' && { segment }),
    ...(typeof open === 'string' && { open }),
    ...(add === true && { add }),
    ...(edit === true && { edit }),
  }
}
