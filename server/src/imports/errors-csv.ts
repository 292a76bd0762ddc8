/** The refused rows of an import as CSV: the original columns and the error, ready for upload. */

import type { Id } from '../core/ids.ts'
import type { LinkMaker } from '../core/link-maker.ts'
import type { Db } from '../lib/db/types.ts'
import { csvLine, emptyText, guarded, unguarded } from './cells.ts'
import { errorsAfter, type RowError } from './changes.ts'
import { errorColumns } from './columns.ts'
import type { Import } from './import.ts'
import type { FileReader } from './reader.ts'

/** Rows that are split in one call: about 13 MB if all of them have the greatest length. */
const perRead = 200

export async function* errorsCsv(
  { db, reader }: { db: Db; reader: FileReader },
  businessId: Id<'business'>,
  { id, layout }: Import,
): AsyncGenerator<string> {
  const { columns = [], delimiter = ',' } = layout ?? {}
  yield csvLine([...columns.map(guardedOnce), ...errorColumns])
  for (let row = 0; ; ) {
    const errors = await errorsAfter(db, { businessId, importId: id }, { row, limit: perRead })
    if (errors.length === 0) return
    const texts = errors.map(({ raw }) => raw ?? '')
    const split = await reader.cellsOf(businessId, { texts, delimiter })
    yield errors.map((error, i) => lineOf(error, split[i] ?? [], { columns, delimiter })).join('')
    row = errors.at(-1)?.row ?? row
  }
}

/** Writes the cells as they were. A cell that has a formula guard already gets no second one. */
function lineOf(
  { row, code, message }: RowError,
  cells: readonly string[],
  { columns, delimiter }: { columns: readonly string[]; delimiter: string },
): string {
  const last = columns.length - 1
  const own = columns.map((_, i) => {
    // Surplus cells are joined in the last cell, where the person who corrects the file sees them.
    return i === last && cells.length > columns.length
      ? cells.slice(i).join(delimiter)
      : (cells[i] ?? '')
  })
  return csvLine([...own.map(guardedOnce), code, guarded(message), `${row}`])
}

const guardedOnce = (cell: string) => (cell === emptyText ? cell : guarded(unguarded(cell)))

/** The payload of a link to the refused rows of an import. */
export interface ErrorsLink {
  business_id: Id<'business'>
  import_id: Id<'import'>
  /** Absent in a link from before this was recorded, which is over. */
  maker?: LinkMaker
}

export const errorsLinkPurpose = 'import-errors'
