/** The search parameters of the page: the contacts that it shows, and what is open. */
import type { Filter } from '../../parts/filter/model.ts'

export const consents = ['subscribed', 'unsubscribed', 'none'] as const

export interface ContactsSearch {
  q?: string
  consent?: (typeof consents)[number]
  filter?: Filter
  segment?: string
  /** The contact in the drawer. */
  open?: string
  /** Whether the dialog for a new contact is open. */
  add?: boolean
  /** Whether the rows of the filter are shown. */
  edit?: boolean
}

/** Other parameters in the URL are dropped. */
export function readContactsSearch(search: Record<string, unknown>): ContactsSearch {
  const { q, consent, filter, segment, open, add, edit } = search
  const known = consents.find((word) => word === consent)
  const isFilter = typeof filter === 'object' && filter !== null && !Array.isArray(filter)
  return {
    // The router parses a search for digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
    ...(known && { consent: known }),
    ...(isFilter && { filter: filter as Filter }),
    ...(typeof segment === 'string' && { segment }),
    ...(typeof open === 'string' && { open }),
    ...(add === true && { add }),
    ...(edit === true && { edit }),
  }
}
