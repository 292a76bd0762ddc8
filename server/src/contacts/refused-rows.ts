/**
 * Groups the refused rows of an import by fault, so that an answer about ten thousand rows can be
 * read at a glance and fits the context of a language model.
 */
import { excerpt } from '../lib/text/excerpt.ts'

interface Row {
  row: number
  outcome: string
  code?: string
  message?: string
  field?: string
}

export interface RefusedRows {
  code: string
  field?: string
  message: string
  count: number
  rows: number[]
}

/** The most groups listed; all remaining rows form one more group. */
const maxGroups = 12
/** The most row numbers that a group lists. */
const maxRowsPerGroup = 20
const mostCharacters = 200

export function groupByFault(rows: readonly Row[]): RefusedRows[] {
  const refused = rows.filter(({ outcome }) => outcome === 'refused')
  const groups = [...Map.groupBy(refused, ({ code, field }) => `${code} ${field}`).values()]
  groups.sort((a, b) => b.length - a.length)
  const others = groups.slice(maxGroups).flat()
  const listed = groups.slice(0, maxGroups).map((group) => groupOf(group))
  if (others.length === 0) return listed
  const { field: _field, message, ...rest } = groupOf(others)
  return [...listed, { ...rest, message: `Each of its own kind. The first: ${message}` }]
}

function groupOf(rows: readonly Row[]): RefusedRows {
  const [first] = rows
  const { code = '', message = '', field } = first ?? {}
  return {
    code,
    ...(field !== undefined && { field: excerpt(field, mostCharacters) }),
    message: excerpt(message, mostCharacters),
    count: rows.length,
    rows: rows.slice(0, maxRowsPerGroup).map(({ row }) => row),
  }
}
