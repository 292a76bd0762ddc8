import { createBatcher } from '../../lib/concurrency/batch.ts'
import type { Db } from '../../lib/db/types.ts'
import { type ContactKey, findPeople, type Person } from './recipient-queries.ts'

export type ReadContact = (key: ContactKey) => Promise<Person | undefined>

/** Reads contacts for templates; simultaneous reads share a statement. */
export function createContactReader(db: Db): ReadContact {
  return createBatcher<ContactKey, Person | undefined>({
    maxItems: 200,
    inFlight: 2,
    eachAlone: false,
    async flush(keys) {
      const places = await findPeople(db, keys)
      const found = new Map(places.map(({ place, ...person }) => [place, person]))
      return keys.map((_, i) => found.get(i + 1))
    },
  })
}
