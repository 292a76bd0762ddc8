import type { Db } from '../../lib/db/types.ts'
import type { User } from './user-queries.ts'
import { readEmail, selectUserByEmail } from './user-queries.ts'

/** The user with a normalised address, if there is one. */
export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return selectUserByEmail(db, email)
}

export const emailOf = readEmail
