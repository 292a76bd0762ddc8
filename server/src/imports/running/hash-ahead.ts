/**
 * Hashes the addresses of rows as they are read, while the database writes the rows before them.
 * Otherwise the database would wait for the hashes at the beginning of each chunk.
 */

import { markOf } from '../../contacts/suppression/suppressions.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Window } from '../reading/reader.ts'

/** More than the rows that are read ahead and being written. */
const rememberedAtLeast = 4_000

/** Remembers the hashes of the last addresses. */
export function remembering(hmac: Hmac): Hmac {
  let [recent, earlier] = [new Map<string, Buffer>(), new Map<string, Buffer>()]
  return (purpose, text) => {
    const name = `${purpose} ${text}`
    const known = recent.get(name)
    if (known) return known
    const hash = earlier.get(name) ?? hmac(purpose, text)
    if (recent.size >= rememberedAtLeast) [recent, earlier] = [new Map(), recent]
    recent.set(name, hash)
    return hash
  }
}

/** `hmac` remembers. */
export async function* hashAhead(
  windows: AsyncIterable<Window>,
  { businessId, hmac }: { businessId: Id<'business'>; hmac: Hmac },
): AsyncGenerator<Window> {
  for await (const window of windows) {
    for (const { person } of window.rows) {
      if (person?.email !== undefined) markOf(hmac, businessId, person.email)
      if (person?.phone !== undefined) markOf(hmac, businessId, person.phone)
    }
    yield window
  }
}
