/** The search parameters of the page: the contacts that it shows, and what is open. */
import type { Filter } from '../../parts/filter/model.ts'

/** The quick filters by how people stand for email. */
export const consents = ['subscribed', 'stopped', 'unsubscribed', 'none'] as const

/** A quick filter as a filter: who only once agreed, and bounced since, is no subscriber. */
export const filtersByConsent: Record<(typeof consents)[number], Filter> = {
  subscribed: { reachable: 'email' },
  stopped: { suppressed: 'email', reasons: ['bounce', 'complaint', 'stop', 'manual'] },
  unsubscribed: {
    or: [
      { consent: 'email', is: 'unsubscribed' },
      { suppressed: 'email', reasons: ['unsubscribed'] },
    ],
  },
  none: { consent: 'email', is: 'none' },
}

interface Narrowing {
  consent: ContactsSearch['consent'] | undefined
  filter: Filter | undefined
}

/** The quick filter and the other filter together; undefined for neither. */
export function joinedFilter({ consent, filter }: Narrowing): Filter | undefined {
  const quick = consent && filtersByConsent[consent]
  if (!quick || !filter) return quick ?? filter
  // A filter of conditions that all hold takes one more without becoming deeper.
  const others = filter['and']
  return { and: [quick, ...(Array.isArray(others) ? (others as Filter[]) : [filter])] }
}

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
