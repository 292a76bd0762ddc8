/** Which translations of a version are older than its content in the first language. */
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { TemplateSource } from '../source.ts'
import { selectOutdated } from './outdated-queries.ts'

/** Their tags. */
export async function outdatedIn(
  db: Db,
  businessId: Id<'business'>,
  { versionId, source }: { versionId: Id<'templateVersion'>; source: TemplateSource },
): Promise<string[]> {
  if (source.translations === undefined) return []
  const rows = await selectOutdated(db, businessId, versionId)
  return rows.map(({ tag }) => tag)
}
