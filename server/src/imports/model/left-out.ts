/** Cells of imported rows that could not be read, as `errors.csv` tells of them. */

import type { LeftOutCell } from '../mapping/person-of.ts'
import type { RowFault } from '../reading/read-rows.ts'

/** In the place of the code of a refusal, because the row was imported. */
export const leftOutCode = 'left_out'

const mostNamed = 5

/** What is told of a row that was imported without these cells; undefined if there are none. */
export function leftOutFault(
  cells: readonly LeftOutCell[] = [],
  columns: readonly string[],
): RowFault | undefined {
  const [first] = cells
  return first && { code: leftOutCode, field: first.field, message: words(cells, columns) }
}

/** The cells of one row, named by their columns. */
function words(cells: readonly LeftOutCell[], columns: readonly string[]): string {
  const named = cells
    .slice(0, mostNamed)
    .map(({ column, field, message }) => `“${columns[column] ?? field}” was left out: ${message}`)
  const more = cells.length - named.length
  return [...named, ...(more > 0 ? [`${more} more cells were left out.`] : [])].join(' ')
}
