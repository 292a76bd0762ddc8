/** A list of objects as a table no wider than the terminal. */
import pc from 'picocolors'
import { printable } from './printable.ts'

export interface Layout {
  /** Shows everything in full. */
  full?: boolean
  /** The terminal's columns. Without it no column is left out for lack of space. */
  width?: number
}

type Fields = Record<string, unknown>

/** The most characters of a cell, without `full`. */
const mostInCell = 48
/** The most characters of a text that is shown whole, without `full`. */
export const shortText = 300

/**
 * Objects within an object become columns of their own (`consent.email`), one level deep. Columns
 * that do not fit are named below the table.
 */
export function table(list: readonly Fields[], { full = false, width }: Layout): string[] {
  const rows = list.map(flattened)
  const columnNames = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const all = full
    ? columnNames
    : columnNames.filter((key) => rows.some((row) => (row.get(key) ?? null) !== null))
  const cells = (row: Map<string, unknown>, column: string) =>
    full ? text(row.get(column)) : shortened(text(row.get(column)))
  const widthOf = (column: string) =>
    Math.max(column.length, ...rows.map((row) => cells(row, column).length))
  const columns = full || width === undefined ? all : columnsThatFit(all, widthOf, width)
  const widths = columns.map(widthOf)
  const line = (texts: string[]): string =>
    texts
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  const left = all.filter((column) => !columns.includes(column))
  return [
    pc.dim(line(columns.map(printable))),
    ...rows.map((row) => line(columns.map((column) => cells(row, column)))),
    ...(left.length > 0
      ? [pc.dim(`not shown: ${left.map(printable).join(', ')} (--full shows all)`)]
      : []),
  ]
}

/** What a reader looks for first, if a list has it: how far a thing is, and who or what it is. */
const first = ['status', 'state', 'outcome', 'name', 'email', 'to', 'subject', 'url']

/** The first column, which names the row, then the important ones, then the others as listed. */
function columnsThatFit(
  all: readonly string[],
  widthOf: (column: string) => number,
  width: number,
): string[] {
  const [name, ...others] = all
  const rankOf = (column: string) => (first.includes(column) ? first.indexOf(column) : first.length)
  const ranked = others.toSorted((a, b) => rankOf(a) - rankOf(b))
  const fitting = new Set<string>()
  let room = width + 2
  for (const column of name === undefined ? [] : [name, ...ranked]) {
    room -= widthOf(column) + 2
    if (room < 0 && fitting.size > 0) break
    fitting.add(column)
  }
  return all.filter((column) => fitting.has(column))
}

/** Text by strangers is under `untrusted`; in a table its fields have no prefix. */
function flattened(fields: Fields): Map<string, unknown> {
  const row = new Map<string, unknown>()
  for (const [key, value] of Object.entries(fields)) {
    if (!isFields(value)) row.set(key, value)
    else {
      const prefix = key === 'untrusted' ? '' : `${key}.`
      for (const [inner, one] of Object.entries(value)) row.set(prefix + inner, one)
    }
  }
  return row
}

/** The beginning of a name identifies it. That of a mail's HTML does not. */
function shortened(cell: string): string {
  if (cell.length > shortText) return `${cell.length.toLocaleString('en')} characters`
  return cell.length <= mostInCell ? cell : `${cell.slice(0, mostInCell - 1)}…`
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether it fits into one cell: no object, and a list only without objects. */
export function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object')
  return typeof value !== 'object' || value === null
}

export function text(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) {
    if (value.length === 0) return '–'
    return isPlain(value) ? value.map(text).join(', ') : `${value.length} entries`
  }
  if (isFields(value)) return Object.keys(value).length === 0 ? '–' : '{…}'
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}
