/** Statements about the domain that holds a name. None of them reveals the business. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export interface Claim {
  name: string
  domainId: Id<'domain'>
}

/**
 * Claims or keeps the name, and returns 1. If another domain holds it, the name can be taken over
 * only once that domain's own records have been missing for a day. Until then this returns 0.
 */
export function takeClaim(tx: Tx, { name, domainId }: Claim, now: Date): Promise<number> {
  return tx.run(sql`
    insert into domain_claims (name, domain_id, degraded, claimed_at)
    values (${name}, ${domainId}, false, ${now})
    on conflict (name) do update set domain_id = excluded.domain_id, degraded = false,
      claimed_at = excluded.claimed_at
    where domain_claims.degraded or domain_claims.domain_id = excluded.domain_id
  `)
}

/** Marks the claim as degraded, so that another domain that proves the name can take it. */
export function degradeClaim(tx: Tx, { name, domainId }: Claim): Promise<number> {
  return tx.run(sql`
    update domain_claims set degraded = true where name = ${name} and domain_id = ${domainId}
  `)
}

export async function holdsClaim(db: Db, { name, domainId }: Claim): Promise<boolean> {
  const { holds } = await db.one<{ holds: boolean }>(sql`
    select exists (
      select from domain_claims where name = ${name} and domain_id = ${domainId}
    ) as holds
  `)
  return holds
}

/** Whether this business has proved that it owns the domain, and still proves it. */
export async function ownsName(db: Db, businessId: Id<'business'>, name: string): Promise<boolean> {
  const { owns } = await db.one<{ owns: boolean }>(sql`
    select exists (
      select from domains d join domain_claims c on c.domain_id = d.id
      where d.business_id = ${businessId} and c.name = ${name} and not c.degraded
    ) as owns
  `)
  return owns
}

/** The domain that holds the name, for the operator. No call of a tenant may use it. */
export function findHolder(
  db: Db,
  name: string,
): Promise<{ businessId: Id<'business'>; id: Id<'domain'> } | undefined> {
  return db.maybe(sql`
    select d.business_id as "businessId", d.id
    from domain_claims c join domains d on d.id = c.domain_id
    where c.name = ${name}
  `)
}

export function dropClaim(tx: Tx, { name, domainId }: Claim): Promise<number> {
  return tx.run(sql`
    delete from domain_claims where name = ${name} and domain_id = ${domainId}
  `)
}

/** Whether any business has proved that it owns the domain, and still proves it. */
export async function holdsVerifiedName(db: Db, name: string): Promise<boolean> {
  const { holds } = await db.one<{ holds: boolean }>(sql`
    select exists (
      select from domain_claims where name = ${name} and not degraded
    ) as holds
  `)
  return holds
}
