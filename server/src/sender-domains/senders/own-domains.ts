import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/**
 * The domains that are the business's own: those that it has verified. One that a connected app added
 * proves itself by the DNS of whoever has it, so that it counts once a person has added it too.
 */
export async function ownDomainsOf(db: Db, businessId: Id<'business'>): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select name from domains
    where business_id = ${businessId} and status <> 'pending' and not awaits_person
  `)
  return rows.map(({ name }) => name)
}

/** Whether a host is one of the domains, or within one. */
export const isWithin = (host: string, domains: ReadonlySet<string>): boolean =>
  host.split('.').some((_, i, labels) => domains.has(labels.slice(i).join('.')))
