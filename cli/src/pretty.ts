/** JSON for eyes: lists of like objects as tables, objects as lines, no quotes or braces. */
import pc from 'picocolors'
import { printable } from './printable.ts'

/** What is shown is what the JSON would say: dates as text, undefined left out. */
export function pretty(value: unknown): string {
  return lines(JSON.parse(JSON.stringify(value) ?? 'null')).join('\n')
}

type Fields = Record<string, unknown>

function lines(value: unknown): string[] {
  if (Array.isArray(value)) return listLines(value)
  if (isFields(value)) return objectLines(value)
  return [text(value)]
}

function listLines(list: unknown[]): string[] {
  if (list.length === 0) return [pc.dim('none')]
  if (list.every(isFields) && list.every((row) => Object.values(row).every(isPlain))) {
    return table(list)
  }
  return list.flatMap((item) =>
    lines(item).map((line, i) => `${i === 0 ? pc.dim('- ') : '  '}${line}`),
  )
}

function objectLines(fields: Fields): string[] {
  const keys = Object.keys(fields)
  if (keys.length === 0) return [pc.dim('nothing')]
  const width = Math.max(...keys.map((key) => key.length))
  return Object.entries(fields).flatMap(([key, value]) =>
    isPlain(value)
      ? [`${pc.dim(printable(key).padEnd(width))}  ${text(value)}`]
      : [pc.dim(printable(key)), ...lines(value).map((line) => `  ${line}`)],
  )
}

function table(rows: Fields[]): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => text(own(row, column)).length)),
  )
  const line = (cells: string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    pc.dim(line(columns.map(printable))),
    ...rows.map((row) => line(columns.map((column) => text(own(row, column))))),
  ]
}

/** A row may lack a column that every object inherits, such as `constructor`. */
function own(row: Fields, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Fits into one cell: no object, and a list only of such values. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object')
  return typeof value !== 'object' || value === null
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(text).join(', ')
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}
