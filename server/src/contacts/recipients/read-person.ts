import type { Db } from '../../lib/db/types.ts'
import { type ContactKey, findPeople, type Person } from './recipient-queries.ts'

/** The data about one contact that a message to it may contain. */
export async function readPerson(db: Db, key: ContactKey): Promise<Person | undefined> {
  const [found] = await findPeople(db, [key])
  if (!found) return undefined
  const { place: _place, ...person } = found
  return person
}
