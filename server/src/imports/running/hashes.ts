/** The hashes of a chunk's addresses, each of which is needed three times. */

import { markOf } from '../../contacts/suppression/suppressions.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { FileRow } from '../reading/read-rows.ts'

/** `hmac`, which knows the hashes of the rows' addresses already. */
export function knowing(rows: readonly FileRow[], businessId: Id<'business'>, hmac: Hmac): Hmac {
  const known = remembering(hmac)
  for (const { person } of rows) {
    if (person?.email !== undefined) markOf(known, businessId, person.email)
    if (person?.phone !== undefined) markOf(known, businessId, person.phone)
  }
  return known
}

/** `hmac`, which computes each hash once. For few texts: it forgets none of them. */
function remembering(hmac: Hmac): Hmac {
  const known = new Map<string, Buffer>()
  return (purpose, text) => {
    const name = `${purpose} ${text}`
    const hash = known.get(name) ?? hmac(purpose, text)
    known.set(name, hash)
    return hash
  }
}
