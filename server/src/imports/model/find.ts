import type { Refusal } from '../../core/errors.ts'
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
): Promise<Import | Refusal> {
  const id = parseId('import', importId)
  return (id && (await findImport(db, business.id, id))) ?? noSuchImport(importId)
}
