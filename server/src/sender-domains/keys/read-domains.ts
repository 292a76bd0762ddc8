/** Reads domains with their keys. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Domain } from '../model/domain.ts'
import {
  type DomainRow,
  findDomainRow,
  listDomainRows,
  selectWithVerified,
} from '../model/queries.ts'
import { listKeys } from './key-queries.ts'

export async function findDomain(
  db: Db,
  businessId: Id<'business'>,
  which: { id: Id<'domain'> } | { name: string },
): Promise<Domain | undefined> {
  const row = await findDomainRow(db, businessId, which)
  const [domain] = row ? await withKeys(db, businessId, [row]) : []
  return domain
}

/** Newest first. */
export async function listDomains(
  db: Db,
  businessId: Id<'business'>,
  page: { before: Id<'domain'> | null; limit: number },
): Promise<Domain[]> {
  return withKeys(db, businessId, await listDomainRows(db, businessId, page))
}

/** Returns the businesses that have a domain that was verified. */
export async function withVerifiedDomain(
  db: Db,
  businessIds: readonly Id<'business'>[],
): Promise<ReadonlySet<Id<'business'>>> {
  return new Set((await selectWithVerified(db, businessIds)).map(({ id }) => id))
}

async function withKeys(db: Db, businessId: Id<'business'>, rows: DomainRow[]): Promise<Domain[]> {
  const ids = rows.map(({ id }) => id)
  const keys = ids.length === 0 ? [] : await listKeys(db, businessId, ids)
  const byDomain = Map.groupBy(keys, ({ domainId }) => domainId)
  return rows.map((row) => ({ ...row, keys: byDomain.get(row.id) ?? [] }))
}
