/**
 * Spreadsheets treat a cell that begins with one of these characters as a formula and run it.
 * Exports put an apostrophe in front of such cells and imports remove it, so that a name comes back
 * as it was. A lone apostrophe stands for an empty text.
 */

const dangerous = new Set(["'", '=', '+', '-', '@', '\t', '\r', '\n'])
const plainNumber = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/

export function guarded(cell: string): string {
  if (cell === '' || !dangerous.has(cell.charAt(0)) || plainNumber.test(cell)) return cell
  return `'${cell}`
}

export const emptyText = "'"

export function unguarded(cell: string): string {
  if (cell.charCodeAt(0) !== apostrophe) return cell
  return cell === emptyText || dangerous.has(cell.charAt(1)) ? cell.slice(1) : cell
}

const apostrophe = "'".charCodeAt(0)
