/** A session in a person's list of their sessions. */
import type { Id } from '../../core/ids.ts'

/** The most sessions that a list shows. */
export const listedSessions = 100

/** What was seen of the browser at the sign-in. */
export interface SignedInBrowser {
  /** Its own description, the User-Agent: a stranger's text. */
  agent: string | null
  /** The network address from which the person signed in. */
  address: string | null
  /** The country of that network, as the header of a proxy named it. */
  country?: string | null | undefined
}

export interface ListedSession extends SignedInBrowser {
  id: Id<'session'>
  createdAt: Date
  lastUsedAt: Date
  /** When the person last used a passkey in it. */
  provenAt: Date | null
}
