/**
 * A database whose business tables are distributed by Citus: the rows of a business are together on
 * one node. A statement over a set of rows names the business of the set there as a value, so that
 * the planner knows the node (docs/decisions/0033-statements-of-sets.md). On one PostgreSQL no
 * statement is touched. How an insert of a set is sent there is in `routed-insert.ts`.
 */
import { createHash } from 'node:crypto'
import { endOfCall, insertedFor, routeInserts, routeInsertsOfOne } from './routed-insert.ts'
import type { Database, Db, Sql, Tx } from './types.ts'

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

/** Whether the rows of each business are on a node of their own. */
export const isSpread = (db: Db | Tx | Pick<Database, 'isDistributed'>): boolean =>
  'isDistributed' in db && db.isDistributed?.() === true

/** The rows that one statement may write together: of one business where it is distributed. */
export function partsOf<Row extends { businessId: string }>(
  db: Db | Database | Tx,
  rows: readonly Row[],
): Row[][] {
  if (rows.length === 0) return []
  if (!isSpread(db)) return [[...rows]]
  return [...Map.groupBy(rows, ({ businessId }) => businessId).values()]
}

/** Each part takes a connection. */
const partsAtOnce = 6

/**
 * Works on the parts, a few at once. What one part wrote is committed, whatever becomes of the others:
 * a part that fails has no result, and `onFault` hears of it. Throws where every part failed.
 */
export async function eachPart<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Promise<Result>,
  onFault?: (error: unknown) => void,
): Promise<{ part: Part; result: Result }[]> {
  const results: { part: Part; result: Result }[] = []
  const faults: unknown[] = []
  const rest = parts.values()
  const turns = Array.from({ length: Math.min(partsAtOnce, parts.length) }, async () => {
    for (const part of rest) {
      try {
        results.push({ part, result: await work(part) })
      } catch (error) {
        faults.push(error)
      }
    }
  })
  await Promise.all(turns)
  if (faults.length > 0 && results.length === 0) throw faults[0]
  for (const fault of faults) onFault?.(fault)
  return results
}

const lenient = /\(((?:\w+\.)?business_id = (?:\w+\.business_id|\$\d*)) or true\)/g

/**
 * The text without "or true" beside the comparisons of the queue's business, which one PostgreSQL
 * does not make while nodes of version 1.1 write there (docs/decisions/0061-jobs-of-businesses.md).
 */
export const strict = (text: string): string => text.replaceAll(lenient, '$1')

/** The statement with the business of its set beside each comparison with the set's business. */
export function placeStatement(statement: Sql): Sql {
  let form = forms.get(statement.text)
  if (form === undefined) {
    form = formOf(statement.text)
    // Filters of callers make any number of texts, which are sent without a name.
    if (statement.name !== '') forms.set(statement.text, form)
  }
  if (!form) return statement
  const { text, set, parameters } = form
  const businessId = set && businessOf(statement.values[set.index], set.isJson)
  const nameFor = (words: string) => (statement.name === '' ? '' : nameOf(words))
  if (!set || businessId === undefined) {
    const own = parameters && areSame(statement, parameters.numbers) ? parameters.text : text
    return own === statement.text ? statement : { ...statement, name: nameFor(own), text: own }
  }
  const values = [...statement.values, businessId]
  return { ...statement, name: nameFor(set.text), text: set.text, values }
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
  /** Without a business of a set. */
  text: string
  set?: {
    /** The text with the business of the set as a last value. */
    text: string
    /** The index of the value that has the businesses of the set. */
    index: number
    isJson: boolean
  }
  /** For inserts whose business is a parameter: the text if all these parameters are one business. */
  parameters?: { text: string; numbers: number[] }
}

const areSame = ({ values }: Sql, parameters: number[]): boolean =>
  new Set(parameters.map((number) => values[number - 1])).size === 1

/** By text; null where nothing is placed. */
const forms = new Map<string, Form | null>()

function formOf(original: string): Form | null {
  const text = strict(original)
  const set = setOf(text)
  if (!set) {
    const numbers = insertedFor(text)
    if (numbers.length > 0) return { text, parameters: { text: routeInsertsOfOne(text), numbers } }
    return text === original ? null : { text }
  }
  const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
  const value = `$${count + 1}::uuid`
  const placed = routeInserts(textForBusiness(text, value), value)
  if (placed === text) return text === original ? null : { text }
  return { text, set: { ...set, text: placed } }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}

const setBegins = /\b(unnest|json_to_recordset)\s*\(\s*\$(\d+)::(?:uuid\[\]|json\b)/g
const namesAfter = /^\s*(?:as )?\w*\s*\(\s*"?business_?id"?\b/i
const namesBefore =
  /\bwith \w+ \(\s*business_id\b[^)]*\) as (?:materialized )?\(\s*select \* from $/
const insertsBefore =
  /\binsert into \w+(?: as \w+)?\s*\(business_id\b[^)]*\)\s*select (?:\*|id\b)[\w\s,$]* from $/

/** The first set of rows whose columns begin with the business. */
function setOf(text: string): { index: number; isJson: boolean } | undefined {
  for (const begin of text.matchAll(setBegins)) {
    const [, kind, parameter] = begin
    const before = text.slice(0, begin.index)
    const after = text.slice(endOfCall(text, begin.index))
    if (
      [namesBefore, insertsBefore].some((names) => names.test(before)) ||
      namesAfter.test(after)
    ) {
      return { index: Number(parameter) - 1, isJson: kind === 'json_to_recordset' }
    }
  }
  return undefined
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
