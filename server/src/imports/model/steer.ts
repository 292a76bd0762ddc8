/** Changes the state of an import for a caller, while its row is locked. */

import type { BusinessContext } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { importOf } from './find.ts'
import { lockImport, type RunningImport } from './queries.ts'
import { noSuchImport } from './view.ts'

export async function steer<T>(
  context: BusinessContext,
  importId: string,
  change: (tx: Tx, importRow: RunningImport) => Promise<T>,
): Promise<T> {
  const found = await importOf(context, importId)
  return context.write(async (tx) => {
    const importRow = await lockImport(tx, context.business.id, found.id)
    if (importRow) return change(tx, importRow)
    throw noSuchImport(importId)
  })
}
