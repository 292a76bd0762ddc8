/** Every statement on the keys of domains. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { DomainKey, Slot } from '../model/domain.ts'
import type { NewKeys } from './key-pair.ts'

export interface KeyOwner {
  businessId: Id<'business'>
  domainId: Id<'domain'>
}

export function listKeys(
  db: Db,
  businessId: Id<'business'>,
  domainIds: readonly Id<'domain'>[],
): Promise<(DomainKey & { domainId: Id<'domain'> })[]> {
  return db.all(sql`
    select domain_id as "domainId", slot, state, rsa_public as "rsaPublic",
      ed25519_public as "ed25519Public", seen_at as "seenAt", ttl_seconds as "ttlSeconds",
      leaves_at as "leavesAt", created_at as "createdAt"
    from domain_keys
    where business_id = ${businessId} and domain_id = any(${domainIds}::uuid[])
    order by domain_id, slot
  `)
}

/** Writes new keys into their slot, replacing the old keys. */
export function putKeys(
  tx: Tx,
  { businessId, domainId }: KeyOwner,
  keys: NewKeys & Pick<DomainKey, 'state' | 'ttlSeconds'>,
  now: Date,
): Promise<number> {
  const { slot, state, ttlSeconds, rsa, ed25519 } = keys
  return tx.run(sql`
    insert into domain_keys (business_id, domain_id, slot, state, rsa_public, rsa_private,
      ed25519_public, ed25519_private, ttl_seconds, created_at)
    values (${businessId}, ${domainId}, ${slot}, ${state}, ${rsa.publicKey}, ${rsa.sealedPrivate},
      ${ed25519?.publicKey ?? null}, ${ed25519?.sealedPrivate ?? null}, ${ttlSeconds}, ${now})
    on conflict (business_id, domain_id, slot) do update set
      state = excluded.state, rsa_public = excluded.rsa_public,
      rsa_private = excluded.rsa_private, ed25519_public = excluded.ed25519_public,
      ed25519_private = excluded.ed25519_private, seen_at = null,
      ttl_seconds = excluded.ttl_seconds, leaves_at = null, created_at = excluded.created_at
  `)
}

/** Updates a key's state. Deletes the private halves of a revoked key for good. */
export function updateKey(
  tx: Tx,
  { businessId, domainId }: KeyOwner,
  key: Pick<DomainKey, 'slot' | 'state' | 'seenAt' | 'ttlSeconds' | 'leavesAt'>,
): Promise<number> {
  return tx.run(sql`
    update domain_keys set state = ${key.state}, seen_at = ${key.seenAt},
      ttl_seconds = ${key.ttlSeconds}, leaves_at = ${key.leavesAt},
      rsa_private = case when ${key.state} <> 'revoked' then rsa_private end,
      ed25519_private = case when ${key.state} <> 'revoked' then ed25519_private end
    where business_id = ${businessId} and domain_id = ${domainId} and slot = ${key.slot}
  `)
}

export interface SigningKey {
  slot: Slot
  rsaPrivate: Buffer
  ed25519Private: Buffer | null
}

/** Returns the sealed private halves of the key in use. */
export function findSigningKey(
  db: Db,
  { businessId, domainId }: KeyOwner,
): Promise<SigningKey | undefined> {
  return db.maybe(sql`
    select slot, rsa_private as "rsaPrivate", ed25519_private as "ed25519Private"
    from domain_keys
    where business_id = ${businessId} and domain_id = ${domainId} and state = 'active'
  `)
}

export function deleteKeys(tx: Tx, { businessId, domainId }: KeyOwner): Promise<number> {
  return tx.run(sql`
    delete from domain_keys where business_id = ${businessId} and domain_id = ${domainId}
  `)
}

export interface PublishedKeyRow
  extends Pick<DomainKey, 'slot' | 'state' | 'rsaPublic' | 'ed25519Public'> {
  domainId: Id<'domain'>
  name: string
}

/** Keys of all businesses, for the operator's zone. No call of a tenant may use it. */
export function listAllKeys(db: Db): Promise<PublishedKeyRow[]> {
  return db.all(sql`
    select k.domain_id as "domainId", d.name, k.slot, k.state, k.rsa_public as "rsaPublic",
      k.ed25519_public as "ed25519Public"
    from domain_keys k join domains d on d.business_id = k.business_id and d.id = k.domain_id
    order by d.name, k.domain_id, k.slot
  `)
}
