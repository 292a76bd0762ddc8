/** What a cell holds: a value of an attribute, or tags. */

import type { AttributeValue } from '../../contacts/contact.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { readJson } from '../../core/json.ts'
import { emptyText, unguarded } from './formula-guard.ts'
import { attributeTarget, type Target } from './target.ts'

export const isBlank = (cell: string): boolean => cell.trim() === ''

type Attribute = Extract<Target, { kind: 'attribute' }>

/** Undefined if the cell is blank. A cell of type `text` is kept unchanged, spaces included. */
export function readAttributeCell(
  written: string,
  { key, type }: Attribute,
): AttributeValue | undefined | Refusal {
  if (type === 'text') return written === '' ? undefined : unguarded(written)
  if (written === emptyText || isBlank(written)) return undefined
  const cell = unguarded(written).trim()
  if (type === undefined) return cell
  const value = type === 'number' ? readNumber(cell) : readBoolean(cell)
  if (value !== undefined) return value
  const field = attributeTarget(key)
  const text = `${field} must be ${type === 'number' ? 'a number, such as 12.5' : 'true or false'}.`
  return refuse('invalid_request', text, { field, data: { reason: 'wrong_type' } })
}

const number = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/

function readNumber(cell: string): number | undefined {
  const value = number.test(cell) ? Number(cell) : Number.NaN
  // A longer integer would become another one. As text it is kept, and an export's comes back.
  const isExact = Number.isSafeInteger(value) || /[.eE]/.test(cell) || `${value}` === cell
  if (!isExact) return undefined
  return Number.isFinite(value) ? value : undefined
}

/** Only numbers that are not codes: `007` and the sixteen digits of a card are text. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/
export const isPlainNumber = (cell: string): boolean => plainNumber.test(cell)

/** In the languages whose exports are read; what means yes in one of them and no in another is text. */
const trueWords = new Set([
  'true',
  'yes',
  'ja',
  'oui',
  'sí',
  'sì',
  'si',
  'sim',
  'tak',
  'wahr',
  'vrai',
])
const falseWords = new Set(['false', 'no', 'nein', 'non', 'não', 'nee', 'nie', 'falsch', 'faux'])

export function readBoolean(cell: string): boolean | undefined {
  const word = cell.toLowerCase()
  return trueWords.has(word) ? true : falseWords.has(word) ? false : undefined
}

/** Reads a JSON object. Nested values are stored as JSON text, and null is ignored. */
export function readAttributesCell(cell: string): [string, AttributeValue][] | Refusal {
  const parsed = readJson(cell, ['attributes'])
  if (isRefusal(parsed)) return parsed
  const object = parsed?.value
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    const text = 'attributes must be a JSON object, such as {"plan": "pro"}.'
    return refuse('invalid_request', text, { field: 'attributes', data: { reason: 'wrong_form' } })
  }
  if (!isWellFormed(cell)) {
    const text =
      'attributes has a NUL character, half of a character, a key that is not taken, or is nested too deeply.'
    return refuse('invalid_request', text, { field: 'attributes', data: { reason: 'wrong_form' } })
  }
  return Object.entries(object).flatMap(([key, value]: [string, unknown]) => {
    if (value === null || value === undefined) return []
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
    return [[key, isPlain ? (value as AttributeValue) : JSON.stringify(value)]]
  })
}

/**
 * Escapes can produce text that PostgreSQL cannot store: NUL and halves of surrogate pairs. A value
 * that is nested thousands of times is beyond what can be checked.
 */
function isWellFormed(json: string): boolean {
  let isFine = true
  try {
    JSON.parse(json, (key: string, value: unknown) => {
      const texts = typeof value === 'string' ? [key, value] : [key]
      if (
        key === '__proto__' ||
        texts.some((text) => text.includes('\0') || !text.isWellFormed())
      ) {
        isFine = false
      }
      return value
    })
  } catch {
    return false
  }
  return isFine
}

/** Tags in one cell, separated by commas. Tags that contain a comma or a quote are quoted. */
export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => (/[",]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ')
}

export function splitTags(cell: string): string[] {
  const tags: string[] = []
  let at = 0
  while (at < cell.length) {
    const start = skipSpaces(cell, at)
    const { text, end } = cell[start] === '"' ? readQuoted(cell, start + 1) : readPlain(cell, start)
    const tag = text.trim()
    if (tag !== '') tags.push(tag)
    at = end + 1
  }
  return tags
}

function skipSpaces(cell: string, from: number): number {
  let at = from
  while (cell[at] === ' ') at++
  return at
}

function readPlain(cell: string, from: number): { text: string; end: number } {
  const comma = cell.indexOf(',', from)
  const end = comma === -1 ? cell.length : comma
  return { text: cell.slice(from, end), end }
}

function readQuoted(cell: string, from: number): { text: string; end: number } {
  let text = ''
  let at = from
  while (at < cell.length) {
    const quote = cell.indexOf('"', at)
    if (quote === -1) return { text: text + cell.slice(at), end: cell.length }
    text += cell.slice(at, quote)
    at = quote + 1
    if (cell[at] !== '"') break
    text += '"'
    at++
  }
  const rest = readPlain(cell, at)
  return { text: text + rest.text, end: rest.end }
}
