/** Changes the state of an import for a caller, while its row is locked. */

import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { importOf } from './find.ts'
import { lockImport, type RunningImport } from './queries.ts'
import { noSuchImport } from './view.ts'

export async function steer<T>(
  context: BusinessContext,
  importId: string,
  change: (tx: Tx, one: RunningImport) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const found = await importOf(context, importId)
  if (isRefusal(found)) return found
  return context.write(async (tx) => {
    const one = await lockImport(tx, context.business.id, found.id)
    return one ? change(tx, one) : noSuchImport(importId)
  })
}
