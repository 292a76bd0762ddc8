/** The search parameters of the page: the contacts that it shows, and what is open. */
import type { Filter } from '../../parts/filter/model.ts'

/** The quick filters: the states for email, of which each person has exactly one. */
export const states = [
  'subscribed',
  'pending',
  'unsubscribed',
  'bounced',
  'complained',
  'suppressed',
  'none',
] as const
export type State = (typeof states)[number]

/** Who texted STOP has unsubscribed. */
export function filterOfState(state: State): Filter {
  const filter = { standing: 'email' as const, is: state }
  return state === 'unsubscribed' ? { or: [filter, { standing: 'email', is: 'stopped' }] } : filter
}

interface Narrowing {
  state: State | undefined
  filter: Filter | undefined
}

/** The quick filter and the other filter together; undefined for neither. */
export function joinedFilter({ state, filter }: Narrowing): Filter | undefined {
  const quick = state && filterOfState(state)
  if (!quick || !filter) return quick ?? filter
  // A filter of conditions that all hold takes one more without becoming deeper.
  const others = filter['and']
  return { and: [quick, ...(Array.isArray(others) ? (others as Filter[]) : [filter])] }
}

export interface ContactsSearch {
  q?: string
  state?: State
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
  const { q, state, filter, segment, open, add, edit } = search
  const known = states.find((word) => word === state)
  const isFilter = typeof filter === 'object' && filter !== null && !Array.isArray(filter)
  return {
    // The router parses a search for digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
    ...(known && { state: known }),
    ...(isFilter && { filter: filter as Filter }),
    ...(typeof segment === 'string' && { segment }),
    ...(typeof open === 'string' && { open }),
    ...(add === true && { add }),
    ...(edit === true && { edit }),
  }
}
