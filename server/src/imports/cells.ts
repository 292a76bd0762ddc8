/**
 * The cells of a CSV file: what they become, the values and tags that they hold, how they are kept
 * from being run as formulas, how a line of them is written, and what is told of those left out.
 */

import {
  type AttributeValue,
  type ConsentSubject,
  consentSubjects,
  contactLimits,
} from '../contacts/contact.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { readJson } from '../core/json.ts'

/**
 * What a column's cells become. Mappings, exports and headers share these names; the names that mean
 * the same in the files of many services, in several languages, follow them.
 */
const attributeTypes = ['text', 'number', 'boolean'] as const
export type AttributeType = (typeof attributeTypes)[number]

/** The evidence that somebody agreed, besides the status itself. */
const evidenceParts = [
  'source',
  'text',
  'ip',
  'agent',
  'at',
  'confirmed_at',
  'confirmed_ip',
  // Keys of the topics that the person agreed to. If absent, the consent covers the whole channel.
  'topics',
  // The person has left, unless the cell is blank or `no`.
  'left_at',
] as const
export type EvidencePart = (typeof evidenceParts)[number]

const plainTargets = [
  'email',
  'phone',
  'external_id',
  'name',
  'first_name',
  'last_name',
  'language',
  'tags',
] as const
type PlainTarget = (typeof plainTargets)[number]

export type Target =
  | { kind: PlainTarget }
  /** `type` is undefined if no type was given: the cell is then text, without outer spaces. */
  | { kind: 'attribute'; key: string; type: AttributeType | undefined }
  /** Each cell holds a JSON object, and each of its keys is an attribute. */
  | { kind: 'attributes' }
  | { kind: 'consent'; channel: ConsentSubject }
  | { kind: 'evidence'; channel: ConsentSubject; part: EvidencePart }

const attributeStart = 'attributes.'

/** Reads `email`, `attributes.plan:number`, `consent.email.source`, or returns undefined. */
export function readTarget(text: string): Target | undefined {
  const plain = plainTargets.find((plainTarget) => plainTarget === text)
  if (plain) return { kind: plain }
  if (text === 'attributes') return { kind: 'attributes' }
  if (text.startsWith(attributeStart)) return readAttribute(text.slice(attributeStart.length))
  for (const channel of consentSubjects) {
    const name = `consent.${channel}`
    if (text === name) return { kind: 'consent', channel }
    const part = evidenceParts.find((evidencePart) => text === `${name}.${evidencePart}`)
    // Consent to tracking has no topics.
    if (part === 'topics' && channel === 'tracking') return undefined
    if (part) return { kind: 'evidence', channel, part }
  }
  return undefined
}

function readAttribute(text: string): Target | undefined {
  const type = attributeTypes.find((attributeType) => text.endsWith(`:${attributeType}`))
  const key = type === undefined ? text : text.slice(0, -type.length - 1)
  if (key.trim() === '' || key.length > contactLimits.attributeKeyLength) return undefined
  if (/\p{Cc}/u.test(key) || key === '__proto__') return undefined
  return { kind: 'attribute', key, type }
}

/** The name of an attribute's column, such as `attributes.zip:text`. */
export function attributeTarget(key: string, type?: AttributeType): string {
  return `${attributeStart}${key}${type === undefined ? '' : `:${type}`}`
}

/** The target without the type of its attribute. */
export const baseOf = <T extends string | null>(target: T) =>
  target === null ? null : target.replace(/:(?:text|number|boolean)$/, '')

/** The targets that a mapping may use, listed for error messages. */
export const targetWords =
  'email, phone, external_id, name, first_name, last_name, language, tags, attributes, attributes.KEY (with :text, :number or :boolean), consent.email, consent.sms, consent.tracking, and of each consent .source, .text, .ip, .agent, .at, .topics (not of tracking), .confirmed_at, .confirmed_ip and .left_at'

/** Each target with its names, as `plainName` reduces them. */
const namesOf: Readonly<Record<string, string>> = {
  email:
    'email emailaddress emailid mail emailadresse mailadresse correo correoelectronico courriel adresseemail adressemail indirizzoemail emailadres enderecodeemail adresemail',
  phone:
    'phone phonenumber mobile mobilenumber sms smsphonenumber telefon telefonnummer handy handynummer mobil mobilnummer telefono telephone portable cellulare telefoon telefoonnummer telefone telemovel',
  external_id: 'externalid externeid kundennummer customerid userid',
  name: 'name fullname vollername vorundnachname nombrecompleto nomcomplet nomecompleto',
  first_name: 'firstname fname givenname vorname prenom nombre nome voornaam imie',
  last_name:
    'lastname lname surname familyname nachname familienname nomdefamille apellido apellidos cognome achternaam sobrenome apelido nazwisko',
  language: 'language lang locale sprache langue idioma lingua taal jezyk',
  tags: 'tags schlagworte schlagworter etiquetas etiquettes etichette',
}

const targets = new Map(
  Object.entries(namesOf).flatMap(([target, names]) =>
    names.split(' ').map((name) => [name, target] as const),
  ),
)

const countryNames = new Set(
  'country countrycode cc land landercode laendercode landerkurzel pays codepays pais paese landcode kraj'.split(
    ' ',
  ),
)

/** Whether a column of this name holds the country of a person. */
export const isCountryName = (name: string): boolean => countryNames.has(name)

/** What a column of this name holds in the files of many services. */
export const commonTarget = (name: string): string | undefined => targets.get(name)

/** Lower-case letters and digits alone, without accents. */
export const plainName = (column: string) =>
  column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

export const isBlank = (cell: string): boolean => cell.trim() === ''

type Attribute = Extract<Target, { kind: 'attribute' }>

/** Undefined if the cell is blank. A cell of type `text` is kept unchanged, spaces included. */
export function readAttributeCell(
  raw: string,
  { key, type }: Attribute,
): AttributeValue | undefined | Refusal {
  if (type === 'text') return raw === '' ? undefined : unguarded(raw)
  if (raw === emptyText || isBlank(raw)) return undefined
  const cell = unguarded(raw).trim()
  if (type === undefined) return cell
  const value = type === 'number' ? readNumber(cell) : readBoolean(cell)
  if (value !== undefined) return value
  const field = attributeTarget(key)
  const text = `${field} must be ${type === 'number' ? 'a number, such as 12.5' : 'true or false'}.`
  return refuse('invalid_request', text, { field, data: { reason: 'wrong_type' } })
}

const number = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/

function readNumber(typed: string): number | undefined {
  const cell = decimalComma.test(typed) ? typed.replaceAll('.', '').replace(',', '.') : typed
  const value = number.test(cell) ? Number(cell) : Number.NaN
  // A longer integer would become another one. As text it is kept, and an export's comes back.
  const isExact = Number.isSafeInteger(value) || /[.eE]/.test(cell) || `${value}` === cell
  if (!isExact) return undefined
  return Number.isFinite(value) ? value : undefined
}

/**
 * As Excel saves it in German or French, such as `12,5` or `1.234,50`. With three digits after its comma
 * it may be a thousand in English, and is text.
 */
const decimalComma = /^-?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:\.\d{3}){1,4}),\d{1,2}$/

/** Only numbers that are not codes: `007` and the sixteen digits of a card are text. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/
export const isPlainNumber = (cell: string): boolean =>
  plainNumber.test(cell) || decimalComma.test(cell)

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
  const json = readJson(cell, ['attributes'])
  return isRefusal(json) ? json : attributesOf(json?.value, cell)
}

function attributesOf(object: unknown, cell: string): [string, AttributeValue][] | Refusal {
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

/** Full-width and small forms count as well: Excel reads them as signs where such text is typed. */
const formulaSigns = new Set('=+-@＝＋－＠﹦﹢﹣﹫')
const divider = /[;\t\n\v\f\r\u0085\u2028\u2029]/
const dividers = /([;\t\n\v\f\r\u0085\u2028\u2029])/
/** Spreadsheets skip spaces and invisible characters, and quotes may open a cell anew. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800"]/u
const signedNumber = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/

/** `="00123"` is how other services keep a spreadsheet from taking a code for a number. */
const textFormula = /^="((?:[^"]|"")*)"$/

/** A lone apostrophe stands for an empty text. */
export const emptyText = "'"

/**
 * Spreadsheets run a cell that begins with a formula sign. Exports put an apostrophe in front of
 * such cells and imports remove it, so that a name comes back as it was.
 *
 * A file is often opened with another separator than its own. Quotes do not protect a cell then, and
 * semicolons, tabs and line breaks divide it into several, each of which may be a formula. So each
 * part of a cell between these gets its own apostrophe.
 */
export function guarded(cell: string): string {
  const text = eachPart(cell, (part) =>
    mayBeFormula(part) && !signedNumber.test(part) ? `'${part}` : part,
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

/** Formats one line of CSV (RFC 4180). Cells are quoted only if they need it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** What is kept of the refusal of a row or a cell: its words, and the reason by which the app words it. */
export interface FaultWords {
  message: string
  reason?: string
  /** What was exceeded, such as the most characters. */
  limit?: number
}

export function wordsOf({ message, details: { data } }: Refusal): FaultWords {
  const { reason, limit } = data ?? {}
  return {
    message,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof limit === 'number' && { limit }),
  }
}

export interface RowFault extends FaultWords {
  code: string
  field: string
}

/** A cell of a row that was imported without it. */
export interface LeftOutCell extends FaultWords {
  /** The place of the cell in its row. */
  column: number
  /** What it would have become, such as `phone` or `attributes.age`. */
  field: string
}

/** In the place of the code of a refusal, because the row was imported. */
export const leftOutCode = 'left_out'

const mostNamed = 5

/** What is told of a row that was imported without these cells; undefined if there are none. */
export function leftOutFault(
  cells: readonly LeftOutCell[] = [],
  columns: readonly string[],
): RowFault | undefined {
  const [first] = cells
  return first && { code: leftOutCode, field: first.field, message: listOf(cells, columns) }
}

/** The cells of one row, named by their columns. */
function listOf(cells: readonly LeftOutCell[], columns: readonly string[]): string {
  const messages = cells
    .slice(0, mostNamed)
    .map(({ column, field, message }) => `“${columns[column] ?? field}” was left out: ${message}`)
  const more = cells.length - messages.length
  return [...messages, ...(more > 0 ? [`${more} more cells were left out.`] : [])].join(' ')
}
