/** Statements on signing keys. */

import type { JWK } from 'jose'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface StoredKey {
  kid: string
  publicJwk: JWK
  sealedPrivate: Buffer
  signsFrom: Date
}

/** All published keys, in the order in which they sign. */
export function listKeys(db: Db): Promise<StoredKey[]> {
  return db.all<StoredKey>(sql`
    select kid, public_jwk as "publicJwk", sealed_private as "sealedPrivate",
      signs_from as "signsFrom"
    from signing_keys
    order by number
  `)
}

export interface NewKey {
  kid: string
  publicJwk: JWK
  sealedPrivate: Buffer
  /** When a key other than the first starts to sign. */
  signsFrom: Date
  /** The key is added only if the newest key has been signing since this time or longer. */
  dueBefore: Date
  now: Date
}

/**
 * Adds the next key if it is due. The first key signs at once. If several nodes try at once, one
 * succeeds, because they give the key the same number. Returns false if nothing was added.
 */
export async function insertKey(db: Db, key: NewKey): Promise<boolean> {
  const added = await db.run(sql`
    insert into signing_keys (kid, number, public_jwk, sealed_private, created_at, signs_from)
    select ${key.kid}, coalesce(max(number), 0) + 1, ${key.publicJwk}, ${key.sealedPrivate},
      ${key.now}, case when max(number) is null then ${key.now} else ${key.signsFrom}::timestamptz end
    from signing_keys
    having coalesce(max(signs_from) <= ${key.dueBefore}, true)
    on conflict (number) do nothing
  `)
  return added === 1
}

/** Deletes keys whose successor has been signing since `before` or longer. */
export function deleteRetiredKeys(db: Db, before: Date): Promise<number> {
  return db.run(sql`
    delete from signing_keys
    where exists (
      select 1 from signing_keys next
      where next.number > signing_keys.number and next.signs_from <= ${before}
    )
  `)
}
