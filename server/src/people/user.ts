import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import { selectUserByEmail } from './user-queries.ts'

export interface User {
  id: Id<'user'>
  /** Normalised: see `email.ts`. */
  email: string
}

/** The person behind a normalised address, if there is one. */
export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return selectUserByEmail(db, email)
}
