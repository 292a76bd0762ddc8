/** Cells of imported rows that could not be read, as `errors.csv` tells of them. */

import type { LeftOutCell } from '../mapping/person-of.ts'

/** In the place of the code of a refusal, because the row was imported. */
export const leftOutCode = 'left_out'

const mostNamed = 5

/** The cells of one row, named by their columns. */
export function leftOutWords(cells: readonly LeftOutCell[], columns: readonly string[]): string {
  const named = cells
    .slice(0, mostNamed)
    .map(({ column, field, message }) => `“${columns[column] ?? field}” was left out: ${message}`)
  const more = cells.length - named.length
  return [...named, ...(more > 0 ? [`${more} more cells were left out.`] : [])].join(' ')
}
