import { type Refusal, refuse } from '../../core/errors.ts'
import { longRow } from '../format/line-meter.ts'
import type { LeftOutCell } from '../mapping/person-of.ts'
import type { RowFault } from '../reading/read-rows.ts'
import { fileField, type ImportFault } from './import.ts'

/** Of a file that has an endless row, or takes more time or memory than any real file does. */
export function tooHard({ endlessRow }: { endlessRow: number | undefined }): ImportFault {
  return unreadable(
    endlessRow === undefined
      ? 'The file cannot be read in reasonable time. Export it anew as plain CSV, with a line for each person.'
      : longRow(endlessRow),
  )
}

export function unreadable(message: string): ImportFault {
  return { code: 'invalid_request', field: fileField, message }
}

export const swapped: ImportFault = {
  code: 'conflict',
  field: fileField,
  message:
    'The stored file differs from the one that was uploaded and checked, so the import stopped. Upload it again.',
}

export function tooLarge(): Refusal {
  const text = 'The file is larger than 1 GB. Split it, and import one part after the other.'
  return refuse('too_large', text, { field: fileField, data: { reason: 'file_too_large' } })
}

/** In the place of the code of a refusal, because the row was imported. */
export const leftOutCode = 'left_out'

const mostNamed = 5

/** What is told of a row that was imported without these cells; undefined if there are none. */
export function leftOutFault(
  cells: readonly LeftOutCell[] = [],
  columns: readonly string[],
): RowFault | undefined {
  const [first] = cells
  return first && { code: leftOutCode, field: first.field, message: listOf(cells, columns) }
}

/** The cells of one row, named by their columns. */
function listOf(cells: readonly LeftOutCell[], columns: readonly string[]): string {
  const messages = cells
    .slice(0, mostNamed)
    .map(({ column, field, message }) => `“${columns[column] ?? field}” was left out: ${message}`)
  const more = cells.length - messages.length
  return [...messages, ...(more > 0 ? [`${more} more cells were left out.`] : [])].join(' ')
}
