/**
 * The keys that sign access tokens: ES256, sealed at rest, replaced every 90 days. Each key is
 * published an hour before it signs, so that caches of the key set have it in time, and stays
 * published until its last token has expired.
 */

import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { days, hours, later } from '../../lib/time/clock.ts'
import { deleteRetiredKeys, insertKey } from './key-queries.ts'

const rotationPeriod = days(90)
const publishedBefore = hours(1)
/** A token lives one hour. The second hour is for nodes that read the next key late. */
const publishedAfter = hours(2)

/** The context with which a key is sealed. It can be opened only under its own id. */
export function sealContext(kid: string): string {
  return `signing_keys:${kid}`
}

/**
 * Creates the first key, or the next one if it is due, and deletes keys that no token needs. It is
 * meant for a daily job, and safe on any number of nodes at once. Returns true if a key was added.
 */
export async function rotateSigningKeys(db: Db, vault: Vault, now: Date): Promise<boolean> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const publicPart = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(publicPart)
  const privateJwk = await exportJWK(privateKey)
  const publicJwk: JWK = { ...publicPart, kid, alg: 'ES256', use: 'sig' }
  const added = await insertKey(db, {
    kid,
    publicJwk,
    sealedPrivate: vault.seal(sealContext(kid), Buffer.from(JSON.stringify(privateJwk))),
    signsFrom: later(now, publishedBefore),
    dueBefore: later(now, -rotationPeriod),
    now,
  })
  await deleteRetiredKeys(db, later(now, -publishedAfter))
  return added
}
