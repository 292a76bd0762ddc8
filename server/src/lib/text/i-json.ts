/**
 * Parses JSON without changing what it says: `JSON.parse` rounds integers beyond ±(2^53 - 1), turns
 * 1e400 into Infinity, and keeps the last of two values that have the same name. RFC 7493 (I-JSON)
 * sections 2.2 and 2.3 rule them out, so that a reader stores the value that the writer meant.
 */

export interface JsonFault {
  /** The names and indexes that lead to the value, outermost first. */
  path: (string | number)[]
  kind: 'large_integer' | 'infinite_number' | 'doubled_name'
}

export interface ParsedJson {
  value: unknown
  /** The first fault in the text. */
  fault?: JsonFault
}

/**
 * How many levels are examined. Callers refuse deeper values (`operations/call.ts` allows 32),
 * and a hostile text cannot make this keep a set of names for each of a million levels.
 */
const deepest = 64

/**
 * Undefined if the text is not JSON. Both checks are linear, and the text is examined character by
 * character only where they find a suspicious number, or more names in the text than in the value.
 */
export function parseIJson(text: string): ParsedJson | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const names = countNames(value, 0)
  if (names !== suspicious && names === countColons(text)) return { value }
  const fault = faultIn(text)
  return fault ? { value, fault } : { value }
}

const suspicious = -1

/** The number of names in the value, or `suspicious` where a number may have been changed. */
function countNames(value: unknown, depth: number): number {
  if (typeof value === 'number') return isSuspicious(value) ? suspicious : 0
  if (typeof value !== 'object' || value === null || depth === deepest) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) {
      const names = countNames(item, depth + 1)
      if (names === suspicious) return suspicious
      count += names
    }
    return count
  }
  for (const name in value) {
    const names = countNames((value as Record<string, unknown>)[name], depth + 1)
    if (names === suspicious) return suspicious
    count += names + 1
  }
  return count
}

/** Every integer literal beyond ±(2^53 - 1) becomes such a number, and so does 1e400. */
const isSuspicious = (value: number) =>
  value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER

const quote = 0x22
const colon = 0x3a

/** The colons outside of strings: one for each name. The text is valid JSON. */
function countColons(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === colon) count++
    else if (code === quote) at = endOfString(text, at)
  }
  return count
}

/** The place of the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** A quote is escaped by an odd number of backslashes before it. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

interface Level {
  /** Undefined for an array. */
  names: Set<string> | undefined
  /** The index in an array, or the name in an object, of the value that is being read. */
  key: string | number
}

/** Reads the text from its beginning, up to the first fault. The text is valid JSON. */
function faultIn(text: string): JsonFault | undefined {
  const levels: Level[] = []
  let depth = 0
  let at = 0
  while (at < text.length) {
    const level = depth <= deepest ? levels[depth - 1] : undefined
    const sign = text.charAt(at)
    if (sign === '"') {
      const end = endOfString(text, at) + 1
      const isName = level?.names !== undefined && text[skipBlanks(text, end)] === ':'
      if (isName) {
        level.key = JSON.parse(text.slice(at, end)) as string
        if (level.names?.has(level.key)) return fault(levels, 'doubled_name')
        level.names?.add(level.key)
      }
      at = end
      continue
    }
    if (sign === '{' || sign === '[') {
      depth++
      if (depth <= deepest) {
        levels.push({ names: sign === '{' ? new Set() : undefined, key: 0 })
      }
    } else if (sign === '}' || sign === ']') {
      if (depth <= deepest) levels.pop()
      depth--
    } else if (sign === ',' && typeof level?.key === 'number') {
      level.key++
    } else if (sign === '-' || isDigit(sign)) {
      const end = endOfNumber(text, at)
      const kind = depth <= deepest ? kindOf(text.slice(at, end)) : undefined
      if (kind) return fault(levels, kind)
      at = end
      continue
    }
    at++
  }
  return undefined
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}

const isDigit = (sign: string) => sign >= '0' && sign <= '9'

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && (isDigit(text.charAt(end)) || '.eE+-'.includes(text.charAt(end)))) {
    end++
  }
  return end
}

/** A number with a fraction or an exponent is a measurement, which every reader rounds. */
function kindOf(literal: string): JsonFault['kind'] | undefined {
  const value = Number(literal)
  if (!Number.isFinite(value)) return 'infinite_number'
  const isInteger = !['.', 'e', 'E'].some((sign) => literal.includes(sign))
  return isInteger && isSuspicious(value) ? 'large_integer' : undefined
}

function fault(levels: readonly Level[], kind: JsonFault['kind']): JsonFault {
  return { path: levels.map(({ key }) => key), kind }
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
