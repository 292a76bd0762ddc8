/**
 * The rows of an audience as Mailchimp exports it. Each row depends only on its number, so that the
 * uploaded file, the file for COPY and the earlier contacts agree.
 */

export interface MailchimpRow {
  email: string
  firstName: string
  lastName: string
  address: string
  plan: string
  orders: number
  ip: string
  /** Whether the line has more cells than the header, or fewer. */
  ragged: 'too_long' | 'short' | undefined
  /** Erased people are refused, as are rows with too many cells. */
  isErased: boolean
}

/** One row in this many is of a person of that kind. */
export const oneIn = { known: 10, doubled: 50, left: 1_000, erased: 1_000, tooLong: 500 } as const

const firstNames = ['José', 'Zoë', 'François', 'Anna “Bee”', 'Søren', 'Jürgen', 'Mary "May"', 'Ida']
const lastNames = ['O’Hara', 'Müller', 'Núñez, Jr.', 'Smith', 'Lindqvist', 'García', 'Weiß', 'Roy']

export function rowOf(n: number): MailchimpRow {
  const isErased = n % oneIn.erased === 502
  return {
    email: emailOf(n),
    firstName: firstNames[n % firstNames.length] ?? '',
    lastName: lastNames[(n >> 3) % lastNames.length] ?? '',
    address: n % 5 === 0 ? `${n} High Street\nFlat ${n % 90}\nYork` : `${n} Station Road, Leeds`,
    plan: n % 3 === 0 ? 'pro' : 'basic',
    orders: n % 40,
    ip: `198.51.100.${n % 250}`,
    ragged:
      n % oneIn.tooLong === 250 ? 'too_long' : n % oneIn.tooLong === 251 ? 'short' : undefined,
    isErased,
  }
}

function emailOf(n: number): string {
  if (n % oneIn.left === 501) return leftEmail((n - 501) / oneIn.left)
  if (n % oneIn.erased === 502) return erasedEmail((n - 502) / oneIn.erased)
  // The same person again in another spelling.
  if (n % oneIn.doubled === 49) return emailOf(n - 1).replace('person', 'Person')
  if (n % oneIn.known === 3) return knownEmail((n - 3) / oneIn.known)
  return `person-${n}@example.com`
}

export const knownEmail = (i: number) => `known-${i}@example.com`
export const leftEmail = (i: number) => `left-${i}@example.com`
export const erasedEmail = (i: number) => `erased-${i}@example.com`

/** How many of the first `rows` rows are of one kind. */
export const countOf = (rows: number, every: number, first: number) =>
  rows <= first ? 0 : Math.floor((rows - 1 - first) / every) + 1
