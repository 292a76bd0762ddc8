/** Statements about domains. Keys and claims have files of their own. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Domain } from './domain.ts'

/** A domain without its keys. */
export type DomainRow = Omit<Domain, 'keys'>

/** Returns 0 if the business has the name already. */
export function insertDomain(tx: Tx, domain: DomainRow, now: Date): Promise<number> {
  return tx.run(sql`
    insert into domains (business_id, id, name, registrable, status, passes, passed_at, misses,
      missing_since, held_elsewhere, verified_at, awaits_person, checked_at, next_check_at, report,
      revision, created_at, updated_at)
    values (${domain.businessId}, ${domain.id}, ${domain.name}, ${domain.registrable},
      ${domain.status}, ${domain.passes}, ${domain.passedAt}, ${domain.misses},
      ${domain.missingSince}, ${domain.heldElsewhere}, ${domain.verifiedAt}, ${domain.awaitsPerson}, ${domain.checkedAt},
      ${domain.nextCheckAt}, ${JSON.stringify(domain.report)}, ${domain.revision},
      ${domain.createdAt}, ${now})
    on conflict (business_id, name) do nothing
  `)
}

/** Finds the domain by its id or its name. */
export function findDomainRow(
  db: Db,
  businessId: Id<'business'>,
  { id = null, name = null }: { id?: Id<'domain'> | null; name?: string | null },
): Promise<DomainRow | undefined> {
  return db.maybe(sql`
    select business_id as "businessId", id, name, registrable, status, passes,
      passed_at as "passedAt", misses, missing_since as "missingSince",
      held_elsewhere as "heldElsewhere", verified_at as "verifiedAt",
      awaits_person as "awaitsPerson", checked_at as "checkedAt",
      next_check_at as "nextCheckAt", report, revision, created_at as "createdAt"
    from domains where business_id = ${businessId} and (id = ${id}::uuid or name = ${name})
  `)
}

/** Newest first. */
export function listDomainRows(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: { before: Id<'domain'> | null; limit: number },
): Promise<DomainRow[]> {
  return db.all(sql`
    select business_id as "businessId", id, name, registrable, status, passes,
      passed_at as "passedAt", misses, missing_since as "missingSince",
      held_elsewhere as "heldElsewhere", verified_at as "verifiedAt",
      awaits_person as "awaitsPerson", checked_at as "checkedAt",
      next_check_at as "nextCheckAt", report, revision, created_at as "createdAt"
    from domains
    where business_id = ${businessId} and (${before}::uuid is null or id < ${before})
    order by id desc limit ${limit}
  `)
}

/**
 * The domain that was verified first and is the business's own. A business without a sender sends from
 * its mailbox.
 */
export function findFirstVerified(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ name: string } | undefined> {
  return db.maybe(sql`
    select name from domains
    where business_id = ${businessId} and status <> 'pending' and not awaits_person
    order by verified_at, id limit 1
  `)
}

/** Returns the businesses that have a verified domain. */
export function selectWithVerified(
  db: Db,
  businessIds: readonly Id<'business'>[],
): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`
    select distinct business_id as id from domains
    where business_id = any (${businessIds}::uuid[]) and status <> 'pending'
  `)
}

/** Updates the domain if it is unchanged since it was read. Returns 0 if it changed or is gone. */
export function updateDomain(tx: Tx, domain: DomainRow, now: Date): Promise<number> {
  return tx.run(sql`
    update domains set status = ${domain.status}, passes = ${domain.passes},
      passed_at = ${domain.passedAt}, misses = ${domain.misses},
      missing_since = ${domain.missingSince}, held_elsewhere = ${domain.heldElsewhere},
      verified_at = ${domain.verifiedAt}, checked_at = ${domain.checkedAt},
      next_check_at = ${domain.nextCheckAt}, report = ${JSON.stringify(domain.report)},
      revision = revision + 1, updated_at = ${now}
    where business_id = ${domain.businessId} and id = ${domain.id}
      and revision = ${domain.revision}
  `)
}

export function deleteDomain(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'domain'>,
): Promise<number> {
  return tx.run(sql`delete from domains where business_id = ${businessId} and id = ${id}`)
}

/** A person says that it is the business's own. Returns 0 where a person has said so before. */
export function acceptDomain(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'domain'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update domains set awaits_person = false, updated_at = ${now}
    where business_id = ${businessId} and id = ${id} and awaits_person
  `)
}
