/**
 * JSON in a readable layout: a list is a table that fits the terminal, and one object is lines and
 * sections. Long texts (the HTML of a mail) and values that no table can show are only named, and
 * shown with `full`.
 */
import pc from 'picocolors'
import { isFields, isPlain, type Layout, shortText, table, text } from './pretty-table.ts'
import { printable } from './printable.ts'

/** Shows the values that JSON would have: dates as text, undefined omitted. */
export function pretty(value: unknown, layout: Layout = {}): string {
  return lines(JSON.parse(JSON.stringify(value) ?? 'null'), layout).join('\n')
}

function lines(value: unknown, layout: Layout): string[] {
  if (Array.isArray(value)) return listLines(value, layout)
  if (isFields(value)) return objectLines(value, layout)
  return [longOrText(value, layout)]
}

function listLines(list: unknown[], layout: Layout): string[] {
  if (list.length === 0) return [pc.dim('none')]
  const isTable = list.every(isFields) && (!layout.full || list.every(isFlat))
  if (isTable) return table(list, layout)
  return list.flatMap((item) =>
    lines(item, layout).map((line, i) => `${i === 0 ? pc.dim('- ') : '  '}${line}`),
  )
}

function objectLines(fields: Record<string, unknown>, layout: Layout): string[] {
  const entries = Object.entries(fields)
  if (entries.length === 0) return [pc.dim('nothing')]
  const plain = entries.filter(([, value]) => isPlain(value))
  const sections = entries.filter(([, value]) => !isPlain(value))
  const width = Math.max(0, ...plain.map(([key]) => key.length))
  return [
    ...plain.map(
      ([key, value]) => `${pc.dim(printable(key).padEnd(width))}  ${longOrText(value, layout)}`,
    ),
    ...sections.flatMap(([key, value]) => [
      pc.bold(printable(key)),
      ...lines(value, { ...layout, ...(layout.width && { width: layout.width - 2 }) }).map(
        (line) => `  ${line}`,
      ),
    ]),
  ]
}

function isFlat(fields: unknown): boolean {
  return Object.values(fields as object).every(isPlain)
}

function longOrText(value: unknown, { full }: Layout): string {
  if (full || typeof value !== 'string' || value.length <= shortText) return text(value)
  return pc.dim(`${value.length.toLocaleString('en')} characters; --full shows them`)
}
