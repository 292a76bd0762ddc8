/** Notes that exactly the same file was imported before. */

import { formatId } from '../../core/ids.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { findSameFile } from './rows.ts'

type SameFile = Awaited<ReturnType<typeof findSameFile>>

export const sameFileFields = {
  same_file: Type.Optional(
    Type.Object({ import_id: Type.String(), state: Type.String(), created_at: Type.String() }),
  ),
}

export function sameFile(same: SameFile | null) {
  if (!same) return {}
  const { id, state, createdAt } = same
  const import_id = formatId('import', id)
  return { same_file: { import_id, state, created_at: createdAt.toISOString() } }
}
