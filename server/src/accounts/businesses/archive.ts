/** The public archive of a business: a page of its sent campaigns, and a feed. */
import type { Id } from '../../core/ids.ts'
import { formatId } from '../../core/ids.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { findArchive, updateArchiveChanged } from './archive-queries.ts'
import type { Archive } from './business.ts'

/** Undefined also where the business keeps its archive off. */
export function archiveOf(db: Db, id: Id<'business'>): Promise<Archive | undefined> {
  return findArchive(db, id)
}

/** Notes that other campaigns are in the archive than before, for programs that read its feed. */
export async function noteArchiveChange(tx: Tx, id: Id<'business'>, now: Date): Promise<void> {
  await updateArchiveChanged(tx, id, now)
}

/** `base` is the address under which the business's public pages are. */
export function archiveUrl(base: string, id: Id<'business'>): string {
  return `${base}/archive/${formatId('business', id)}`
}
