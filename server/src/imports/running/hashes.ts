/** The hashes of a chunk's addresses, each of which is needed three times. */

import { markOf } from '../../contacts/suppressions/suppression.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { FileRow } from '../reading/read-rows.ts'

/** `hmac`, which computes each hash once. For few texts: it forgets none of them. */
export function remembering(hmac: Hmac): Hmac {
  const byPurpose = new Map<string, Map<string, Buffer>>()
  return (purpose, text) => {
    let known = byPurpose.get(purpose)
    if (!known) {
      known = new Map()
      byPurpose.set(purpose, known)
    }
    let hash = known.get(text)
    if (!hash) {
      hash = hmac(purpose, text)
      known.set(text, hash)
    }
    return hash
  }
}

/** `hmac` remembers. */
export function hashAll(rows: readonly FileRow[], businessId: Id<'business'>, hmac: Hmac): void {
  for (const { person } of rows) {
    if (person?.email !== undefined) markOf(hmac, businessId, person.email)
    if (person?.phone !== undefined) markOf(hmac, businessId, person.phone)
  }
}
