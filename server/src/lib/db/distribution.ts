/**
 * A database whose business tables are distributed by Citus: the rows of a business are together on
 * one node. A statement over a set of rows names the business of the set there as a value, so that
 * the planner knows the node (docs/decisions/0033-statements-of-sets.md). On one PostgreSQL no
 * statement is touched.
 */
import { createHash } from 'node:crypto'
import type { Db, Sql } from './types.ts'

/** Whether `crier distribute` has run on this database. */
export async function readIsDistributed(db: Db): Promise<boolean> {
  const { hasNodes } = await db.one<{ hasNodes: boolean }>(
    unnamed(`select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasNodes"`),
  )
  if (!hasNodes) return false
  const { isDistributed } = await db.one<{ isDistributed: boolean }>(
    unnamed(`select exists (
      select from pg_dist_partition where logicalrelid = to_regclass('contacts')
    ) as "isDistributed"`),
  )
  return isDistributed
}

const unnamed = (text: string): Sql => ({ name: '', text, values: [] })

/** The statement with the business of its set beside each comparison with the set's business. */
export function placeStatement(statement: Sql): Sql {
  let form = forms.get(statement.text)
  if (form === undefined) {
    form = formOf(statement.text)
    // Filters of callers make any number of texts, which are sent without a name.
    if (statement.name !== '') forms.set(statement.text, form)
  }
  if (!form) return statement
  const businessId = businessOf(statement.values[form.set], form.isJson)
  if (businessId === undefined) return statement
  const name = statement.name === '' ? '' : form.name
  return { ...statement, name, text: form.text, values: [...statement.values, businessId] }
}

/** Where a text compares the business of a table with that of a set: `c.business_id = new.business_id`. */
const comparison = /((?:\w+\.)?business_id|b\.id) = \w+\.(?:"businessId"|business_id)(?!\w)/g

/** The text with `value` beside each comparison. */
export function textForBusiness(text: string, value: string): string {
  return text.replaceAll(
    comparison,
    (compared: string, column: string) => `${compared} and ${column} = ${value}`,
  )
}

interface Form {
  text: string
  name: string
  /** The index of the value that has the businesses of the set. */
  set: number
  isJson: boolean
}

/** By text; null where nothing is placed. */
const forms = new Map<string, Form | null>()

function formOf(text: string): Form | null {
  const set = setOf(text)
  if (!set || text.search(comparison) === -1) return null
  const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
  const textWithValue = textForBusiness(text, `$${count + 1}::uuid`)
  const name = createHash('sha256').update(textWithValue).digest('base64url').slice(0, 22)
  return { text: textWithValue, name, ...set }
}

const setBegins = /\b(unnest|json_to_recordset)\s*\(\s*\$(\d+)::(?:uuid\[\]|json\b)/g
const namesAfter = /^\s*(?:as )?\w*\s*\(\s*"?business_?id"?\b/i
const namesBefore =
  /\bwith \w+ \(\s*business_id\b[^)]*\) as (?:materialized )?\(\s*select \* from $/

/** The first set of rows whose columns begin with the business. */
function setOf(text: string): { set: number; isJson: boolean } | undefined {
  for (const begin of text.matchAll(setBegins)) {
    const [, kind, parameter] = begin
    const before = text.slice(0, begin.index)
    const after = text.slice(endOfCall(text, begin.index))
    if (namesAfter.test(after) || namesBefore.test(before)) {
      return { set: Number(parameter) - 1, isJson: kind === 'json_to_recordset' }
    }
  }
  return undefined
}

/** The place behind the bracket that closes the call which begins here. */
function endOfCall(text: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}

/** The one business of the set's rows; undefined where there are several, or no rows. */
function businessOf(value: unknown, isJson: boolean): string | undefined {
  const all = new Set(isJson ? businessesInJson(value) : idsOf(value))
  const [businessId, ...others] = all
  return others.length > 0 ? undefined : businessId
}

function businessesInJson(value: unknown): string[] {
  const rows = JSON.parse(String(value)) as { businessId?: string; business_id?: string }[]
  return rows.flatMap(({ businessId, business_id: id = businessId }) => id ?? [])
}

/** The ids of an array, as the driver takes it or as `ids` in `db.ts` writes it. */
function idsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (!Buffer.isBuffer(value)) return []
  const ids: string[] = []
  for (let at = arrayHeader; at < value.length; at += idBytes) {
    ids.push(value.toString('hex', at + 4, at + idBytes))
  }
  return ids
}

const arrayHeader = 20
const idBytes = 20
