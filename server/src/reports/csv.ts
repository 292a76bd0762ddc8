/** The rows of a report as a file for spreadsheets: the same figures as in the answer, to the digit. */
import { csvLine, guarded } from '../imports/cells.ts'
import { Type } from '../lib/schema/schema.ts'

type Cell = string | number | null | undefined

export const csvInput = Type.Optional(
  Type.Enum(['csv'], { description: 'Adds the rows as the text of a CSV file.' }),
)
export const csvView = Type.Optional(Type.String())

export function csvOf(columns: readonly string[], rows: readonly Record<string, Cell>[]): string {
  const lines = rows.map((row) => columns.map((column) => guarded(`${row[column] ?? ''}`)))
  return [columns, ...lines].map(csvLine).join('')
}
