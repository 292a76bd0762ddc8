import { parseId } from '../../core/ids.ts'
import type { BusinessContext, Locate } from '../../core/operation.ts'
import type { Import } from './import.ts'
import { findImport, findImportOwner } from './queries.ts'
import { noSuchImport } from './view.ts'

/** Finds the business that has the import `imp_…`. */
export const byImport: Locate = async (db, businesses, text) => {
  const id = parseId('import', text)
  return id && (await findImportOwner(db, businesses, id))?.businessId
}

export async function importOf(
  { db, business }: BusinessContext,
  importId: string,
): Promise<Import> {
  const id = parseId('import', importId)
  const found = id && (await findImport(db, business.id, id))
  if (!found) throw noSuchImport(importId)
  return found
}
