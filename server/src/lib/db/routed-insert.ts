/**
 * Inserts of sets on a distributed database. Citus copies the rows of `insert … select … from
 * unnest(…)` through its coordinator and commits them in two phases, even if all are of one business.
 * It sends the statement to the business's node if the business in the select is read from a
 * distributed table. So the select joins a set of one row, the business, which begins in such a table:
 * `union` makes one row of it whether the table knows the business or not.
 */

/** The business as a row that Citus takes for one of the table. `value` is a parameter. */
const homeOf = (value: string): string =>
  `(select business_id from ${homeTable} where business_id = ${value} union select ${value}) as home (home_id)`

/** It has at most one row for a business, which is seldom written. */
const homeTable = 'retention_runs'
const home = 'home.home_id'

/**
 * Tables that name a business and stay on the coordinator, because people reach several businesses
 * by them (docs/decisions/0033-statements-of-sets.md).
 */
export const localTables: ReadonlySet<string> = new Set([
  'memberships',
  'invitations',
  'api_keys',
  'factor_resets',
  'ownership_offers',
  'identity_providers',
  'provider_domains',
  'removed_members',
])

/** Small, read by the statements of every business, and so copied to every node. */
export const referenceTables: readonly string[] = ['businesses', 'sending_stops', 'stopped_numbers']

const isWithoutHome = (table: string): boolean =>
  localTables.has(table) || referenceTables.includes(table)

/**
 * The text with each insert of a set sent to the node of `business`, the parameter with the set's
 * business. What is no such insert stays.
 */
export function routeInserts(text: string, business: string): string {
  return routed(text, (select) => (isOfSet(select) ? business : undefined))
}

/**
 * The numbers of the parameters that say the business of an insert, and of each comparison; none if no
 * insert's business is a parameter.
 */
export function insertedFor(text: string): number[] {
  const inserts = insertsIn(text).flatMap((insert) => numberOf(insert.first) ?? [])
  if (inserts.length === 0) return []
  const compared = [...text.matchAll(/business_id = \$(\d+)/g)].map(([, n]) => Number(n))
  return [...new Set([...inserts, ...compared])]
}

/** The same for inserts whose business is a parameter itself: `insert … select $1, … from unnest(…)`. */
export function routeInsertsOfOne(text: string): string {
  return routed(text, ({ first }) => {
    const number = numberOf(first)
    return number === undefined ? undefined : `$${number}::uuid`
  })
}

function numberOf(first: string): number | undefined {
  const number = /^\$(\d+)(?:::uuid)?$/.exec(first)?.[1]
  return number === undefined ? undefined : Number(number)
}

const isOfSet = ({ first }: InsertOfSet): boolean =>
  /^(?:(?:\w+\.)?"?business_?id"?|\*|id)$/i.test(first)

function routed(
  original: string,
  businessFor: (insert: InsertOfSet) => string | undefined,
): string {
  let text = original
  // From the last to the first, so that the places of the others stay.
  for (const insert of insertsIn(original).toReversed()) {
    const business = businessFor(insert)
    if (business === undefined) continue
    const changes = changesOf(original, insert, business)
    if (!changes) continue
    for (const { at, to, with: words } of changes.toSorted((a, b) => b.at - a.at)) {
      text = text.slice(0, at) + words + text.slice(to)
    }
    if (insert.isBehind) text = asExpression(text, insert)
  }
  return text
}

interface Change {
  at: number
  to: number
  with: string
}

function changesOf(text: string, insert: InsertOfSet, business: string): Change[] | undefined {
  const { first, firstAt, from, group, order, isDistinctOn } = insert
  const changes = [{ at: from, to: from, with: `${homeOf(business)} cross join ` }]
  if (first === '*') {
    const end = endOfCall(text, from)
    const count = argumentsOf(text.slice(from, end))
    if (!text.startsWith('unnest(', from) || /^\s*(?:as|with)\b/.test(text.slice(end)))
      return undefined
    const columns = Array.from({ length: count }, (_, n) => `c${n + 1}`)
    const others = columns.slice(1).map((column) => `given.${column}`)
    changes.push({ at: firstAt, to: firstAt + 1, with: [home, ...others].join(', ') })
    changes.push({ at: end, to: end, with: ` as given (${columns.join(', ')})` })
    return changes
  }
  changes.push({ at: firstAt, to: firstAt + first.length, with: home })
  if (group !== undefined) {
    const isSame = begins(text, group, first)
    changes.push({
      at: group,
      to: group + (isSame ? first.length : 0),
      with: isSame ? home : `${home}, `,
    })
  }
  // What is distinct is the first of its order.
  if (order !== undefined && !isDistinctOn && begins(text, order, first)) {
    changes.push({ at: order, to: order + first.length, with: home })
  }
  return changes
}

const begins = (text: string, at: number, words: string): boolean =>
  text.startsWith(words, at) && /^(?![\w.])/.test(text.slice(at + words.length))

/**
 * The insert as the last of the expressions before it. Citus sends an insert with expressions before
 * it to the node as it is, which would then write by connections of its own.
 */
function asExpression(text: string, { at }: InsertOfSet): string {
  const insert = text.slice(at).trimEnd()
  const returning = /\breturning\b/.test(insert) ? '' : ' returning business_id'
  return `${text.slice(0, at).trimEnd()}, routed as (${insert}${returning}) select * from routed`
}

interface InsertOfSet {
  /** Where it begins. */
  at: number
  /** It is the statement itself, behind expressions. */
  isBehind: boolean
  /** What the select gives as the business, and where. */
  first: string
  firstAt: number
  /** Where what it selects from, its groups and its order begin. */
  from: number
  isDistinctOn: boolean
  group?: number
  order?: number
}

const insertBegins =
  /\binsert into (\w+)(?: as \w+)?\s*\(business_id\b[^)]*\)\s*select (?:(distinct on) \([^)]*\)\s*|distinct )?/g

function insertsIn(text: string): InsertOfSet[] {
  return [...text.matchAll(insertBegins)].flatMap((begin) => {
    const insert = isWithoutHome(begin[1] ?? '') ? undefined : readInsert(text, begin)
    return insert ?? []
  })
}

function readInsert(
  text: string,
  { 0: { length }, 2: distinctOn, index: at }: RegExpExecArray,
): InsertOfSet | undefined {
  const firstAt = at + length
  const insert: InsertOfSet = {
    at,
    isBehind: isBehindExpressions(text, at),
    first: '',
    firstAt,
    from: 0,
    isDistinctOn: distinctOn !== undefined,
  }
  let last = ''
  for (const { word, index, end } of wordsFrom(text, firstAt)) {
    if (insert.first === '' && (word === ',' || word === 'from')) {
      insert.first = text.slice(firstAt, index).trim()
    }
    if (word === 'from' && last !== 'distinct' && insert.from === 0) insert.from = end
    if (word === 'by' && last === 'group') insert.group = end
    if (word === 'by' && last === 'order') insert.order = end
    if (word === 'conflict' || word === 'returning') break
    last = word
  }
  return insert.from > 0 && isRead(text, insert) ? insert : undefined
}

/**
 * Tables that are read for a business which is a parameter may be local, or asked for another
 * business. Those are left to the coordinator.
 */
function isRead(text: string, { first, from }: InsertOfSet): boolean {
  if (numberOf(first) === undefined) return true
  const rest = text.slice(from)
  const [name = ''] = /^\w+/.exec(rest) ?? []
  return (
    /^(?:unnest|jsonb?_\w+)?\(/.test(rest) ||
    /^\w+ (\w+)\s+where \1\.business_id = \$/.test(rest) ||
    [' as (', ' as materialized ('].some((begin) => text.includes(name + begin))
  )
}

/** Whether the insert is the statement, after expressions: in no bracket. */
function isBehindExpressions(text: string, at: number): boolean {
  if (!/^\s*with\b/.test(text)) return false
  let depth = 0
  for (const { word, index } of signsFrom(text, 0)) {
    if (index >= at) break
    if (word === '(') depth++
    if (word === ')') depth--
  }
  return depth === 0
}

/** Words and commas that are in no bracket, up to the bracket around all of them. */
function* wordsFrom(text: string, at: number): Generator<Sign> {
  let depth = 0
  for (const sign of signsFrom(text, at)) {
    if (sign.word === '(') depth++
    else if (sign.word === ')' && --depth < 0) return
    else if (depth === 0 && sign.word !== ')') yield sign
  }
}

interface Sign {
  word: string
  index: number
  /** Where the next sign begins. */
  end: number
}

/** Words, brackets and commas; no comments and nothing in quotation marks. */
function* signsFrom(text: string, at: number): Generator<Sign> {
  const signs = /--[^\n]*|'[^']*'|"[^"]*"|\w+|[(),]/g
  signs.lastIndex = at
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    const [word] = sign
    if (!/^[\w(),]/.test(word)) continue
    const space = /\s*/y
    space.lastIndex = signs.lastIndex
    space.exec(text)
    yield { word, index: sign.index, end: space.lastIndex }
  }
}

/** The place behind the bracket that closes the call which begins here. */
export function endOfCall(text: string, begin: number): number {
  let depth = 0
  for (const { word, index } of signsFrom(text, begin)) {
    if (word === '(') depth++
    if (word === ')' && --depth === 0) return index + 1
  }
  return text.length
}

/** The number of arguments of a call. */
function argumentsOf(call: string): number {
  let count = 1
  for (const { word } of wordsFrom(call, call.indexOf('(') + 1)) if (word === ',') count++
  return count
}
