/** Exports entries of the audit log, page by page. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type AuditFilter, type AuditPlace, type ListedEntry, selectEntries } from './entry.ts'

const perPage = 1_000

export async function* exportEntries(
  db: Db,
  businessId: Id<'business'>,
  filter: AuditFilter,
): AsyncGenerator<ListedEntry[]> {
  for (let before: AuditPlace | null = null; ; ) {
    const page: ListedEntry[] = await selectEntries(db, businessId, {
      ...filter,
      before,
      limit: perPage,
    })
    const last = page.at(-1)
    if (!last) return
    yield page
    before = { createdAt: last.createdAt, id: last.id }
  }
}
