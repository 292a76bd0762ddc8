import type { Db } from '../../lib/db/types.ts'
import { type ContactKey, findPeople, type Person } from './recipient-queries.ts'

/** The data about contacts that a message to them may contain, in the order of the keys. */
export async function readPeople(db: Db, keys: ContactKey[]): Promise<(Person | undefined)[]> {
  const found = new Map((await findPeople(db, keys)).map((row) => [row.place, row]))
  return keys.map((_, i) => found.get(i + 1))
}

/** The same about one contact. */
export async function readPerson(db: Db, key: ContactKey): Promise<Person | undefined> {
  const [found] = await findPeople(db, [key])
  if (!found) return undefined
  const { place: _place, ...person } = found
  return person
}
