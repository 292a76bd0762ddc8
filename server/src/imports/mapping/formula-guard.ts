/**
 * Spreadsheets run a cell that begins with a formula sign. Exports put an apostrophe in front of
 * such cells and imports remove it, so that a name comes back as it was. A lone apostrophe stands
 * for an empty text.
 *
 * A file is often opened with another separator than its own. Quotes do not protect a cell then, and
 * semicolons, tabs and line breaks divide it into several, each of which may be a formula. So each
 * part of a cell between these gets its own apostrophe.
 */

/** Full-width and small forms count as well: Excel reads them as signs where such text is typed. */
const formulaSigns = new Set('=+-@＝＋－＠﹦﹢﹣﹫')
const divider = /[;\t\n\v\f\r\u0085\u2028\u2029]/
const dividers = /([;\t\n\v\f\r\u0085\u2028\u2029])/
/** Spreadsheets skip spaces and invisible characters, and quotes may open a cell anew. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800"]/u
const plainNumber = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/

/** `="00123"` is how other services keep a spreadsheet from taking a code for a number. */
const textFormula = /^="((?:[^"]|"")*)"$/

export const emptyText = "'"

export function guarded(cell: string): string {
  const text = eachPart(cell, (part) =>
    mayBeFormula(part) && !plainNumber.test(part) ? `'${part}` : part,
  )
  return beginsWithBreak(cell) ? `'${text}` : text
}

export function unguarded(cell: string): string {
  if (cell === emptyText) return ''
  const literal = textFormula.exec(cell)?.[1]
  if (literal !== undefined) return literal.replaceAll('""', '"')
  const text = cell.startsWith("'") && beginsWithBreak(cell.slice(1, 2)) ? cell.slice(1) : cell
  return eachPart(text, (part) =>
    part.startsWith("'") && mayBeFormula(part.slice(1)) ? part.slice(1) : part,
  )
}

/** An apostrophe at the beginning is guarded too, or an import would take it for a guard. */
function mayBeFormula(part: string): boolean {
  if (part.startsWith("'")) return true
  const first = part.search(visible)
  return first >= 0 && formulaSigns.has(part.charAt(first))
}

function eachPart(cell: string, change: (part: string) => string): string {
  if (!divider.test(cell)) return change(cell)
  // The dividers stand between the parts, at the odd positions.
  return cell
    .split(dividers)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('')
}

/** A tab or line break at the beginning of a cell may move its text into a cell of its own. */
function beginsWithBreak(cell: string): boolean {
  const first = cell.charAt(0)
  return first === '\t' || first === '\r' || first === '\n'
}
