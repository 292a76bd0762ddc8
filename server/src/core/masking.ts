/**
 * What a masked connection sees of people at the tool endpoint: addresses and numbers with their
 * middle left out, in whatever part of an answer they stand. It can name whole addresses, but ask for
 * no part of one, so that no count tells what the answer leaves out.
 */
import { isObject } from '../lib/schema/is-object.ts'
import { type Refusal, refuse } from './errors.ts'
import type { Context } from './operation.ts'

/** Whether the call's answers are masked. */
export const isMasked = ({ principal, isToolCall }: Pick<Context, 'principal' | 'isToolCall'>) =>
  isToolCall && principal.seesMasked === true

const ellipsis = '…'

/** `a…@example.com`. */
function maskEmail(address: string): string {
  const at = address.search(/@|%40/i)
  const [first = ''] = address
  return `${first}${ellipsis}${address.slice(at)}`
}

/** `+41…67`. */
function maskPhone(number: string): string {
  return `${number.slice(0, 3)}${ellipsis}${number.slice(-2)}`
}

/** The characters of an address before its @, as they are also written in the query of a URL. */
const localPart = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
const hostPart = /[\p{L}\p{N}.%-]/u
/** The most characters that are read on either side of an @: longer ones are no address. */
const longestPart = 320

interface Span {
  start: number
  end: number
}

/** Each address in the text, by the @ or %40 in it. */
function emailsIn(text: string): Span[] {
  const spans: Span[] = []
  for (const { index, 0: sign } of text.matchAll(/@|%40/gi)) {
    const floor = Math.max(spans.at(-1)?.end ?? 0, index - longestPart)
    let start = index
    while (start > floor && localPart.test(text[start - 1] as string)) start--
    // `mailto:`, `?email=` and `&to=` are before the address, and quotes around it are none of it.
    const lead = /^.*(?:[=?&/]|%3[dD]|%3[fF]|%2[fF]|%26)/.exec(text.slice(start, index))?.[0] ?? ''
    start += lead.length
    let end = index + sign.length
    const ceiling = Math.min(text.length, end + longestPart)
    while (end < ceiling && hostPart.test(text[end] as string)) end++
    if (start < index && end > index + sign.length) spans.push({ start, end })
  }
  return spans
}

/** A number that begins like one that can be dialled, in one of its spellings. */
const phonePattern =
  /(?<![\p{L}\p{N}_.:-])(?:\+|%2[bB]|0)[0-9][0-9 ()./-]{4,22}[0-9](?![\p{L}\p{N}_:])/gu
const fewestDigits = { international: 7, national: 9 }
const mostDigits = 15

function isPhone(spelling: string): boolean {
  const digits = spelling.replace(/^%2b/i, '+').replace(/[^0-9]/g, '').length
  const fewest = spelling.startsWith('0') ? fewestDigits.national : fewestDigits.international
  return digits >= fewest && digits <= mostDigits
}

/** An address or a number without what differs between its spellings. */
function sameSpelling(text: string): string {
  const plain = text.replace(/%40/gi, '@').replace(/%2b/gi, '+').toLowerCase()
  return plain.includes('@') ? plain : `+${plain.replace(/[^0-9]/g, '')}`
}

function maskText(text: string, exceptions: ReadonlySet<string>): string {
  const isKnown = (found: string) => exceptions.has(sameSpelling(found))
  let masked = ''
  let last = 0
  for (const { start, end } of emailsIn(text)) {
    const address = text.slice(start, end)
    masked += text.slice(last, start) + (isKnown(address) ? address : maskEmail(address))
    last = end
  }
  masked += text.slice(last)
  return masked.replace(phonePattern, (found) =>
    !isPhone(found) || isKnown(found) ? found : maskPhone(found),
  )
}

/** The addresses and numbers that stand anywhere in a value, such as in a call's arguments. */
export function addressesIn(value: unknown): Set<string> {
  const found = new Set<string>()
  visit(value, (text) => {
    for (const { start, end } of emailsIn(text)) found.add(sameSpelling(text.slice(start, end)))
    for (const [number] of text.matchAll(phonePattern)) found.add(sameSpelling(number))
  })
  return found
}

function visit(value: unknown, each: (text: string) => void): void {
  if (typeof value === 'string') each(value)
  else if (Array.isArray(value)) for (const entry of value) visit(entry, each)
  else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      each(key)
      visit(entry, each)
    }
  }
}

/**
 * An answer with each address and number in it masked, except those that are `exceptions`.
 */
export function masked<T>(value: T, exceptions: ReadonlySet<string>): T
export function masked(value: unknown, exceptions: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return maskText(value, exceptions)
  if (Array.isArray(value)) return value.map((entry) => masked(entry, exceptions))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      maskText(key, exceptions),
      masked(shownOf(key, entry, value), exceptions),
    ]),
  )
}

/** What is shown of a field that can hold a part of an address, by what it stands beside. */
function shownOf(key: string, value: unknown, siblings: Record<string, unknown>): unknown {
  // The hash of a number can be reversed by trying all numbers.
  if (key === 'sha256') return null
  const isOfMessage = typeof siblings['message_id'] === 'string'
  // A subject or text was filled in, perhaps with the first letters of the address alone.
  if (key === 'untrusted' && isOfMessage && isObject(value) && 'subject' in value) {
    const { text: _text, ...rest } = value
    return { ...rest, subject: null }
  }
  // A link that was clicked may have been filled in too.
  if (key === 'url' && (isOfMessage || 'at' in siblings) && typeof value === 'string') {
    return URL.canParse(value) ? `${new URL(value).origin}/${ellipsis}` : null
  }
  // What differs by person is mostly in the query; the operations see to the rest.
  if (key === 'url' && 'people' in siblings && typeof value === 'string') return withoutQuery(value)
  return value
}

/** A link without its query and fragment, in which an address may have been filled in. */
function withoutQuery(link: string): string {
  const url = URL.parse(link)
  if (!url || url.origin === 'null') return ellipsis
  if (url.search === '' && url.hash === '') return link
  return `${url.origin}${url.pathname}${ellipsis}`
}

/**
 * A link as far as its address stands in the texts as it is: what is more may have been filled in
 * with a part of somebody's address.
 */
export function linkAsWritten(link: string, texts: readonly string[]): string {
  const url = URL.parse(link)
  if (!url || url.origin === 'null') return ellipsis
  const isWritten = (address: string, ends: ReadonlySet<string>) =>
    texts.some((text) =>
      endsAt(text.toLowerCase(), address.toLowerCase()).some((end) => ends.has(end)),
    )
  if (url.pathname !== '/' && isWritten(`//${url.host}${url.pathname}`, pathEnds)) {
    return withoutQuery(link)
  }
  if (!isWritten(`//${url.host}`, hostEnds)) return ellipsis
  return url.pathname === '/' ? withoutQuery(link) : `${url.origin}/${ellipsis}`
}

/** What may follow a path in a text; the end of the text is empty. */
const pathEnds: ReadonlySet<string> = new Set([
  '',
  '"',
  "'",
  '<',
  '>',
  ')',
  '?',
  '#',
  ' ',
  '\n',
  '\r',
  '\t',
])
const hostEnds: ReadonlySet<string> = new Set([...pathEnds, '/'])

/** The character after each place where the part stands; empty at the end of the text. */
function endsAt(text: string, part: string): string[] {
  const ends: string[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    ends.push(text.charAt(at + part.length))
  }
  return ends
}

/** A contact whose address and number a preview may show. */
export function maskedPerson<T extends { email: string | null; phone: string | null }>(
  person: T,
): T {
  const { email, phone } = person
  return { ...person, email: email && maskEmail(email), phone: phone && maskPhone(phone) }
}

/** Built-in fields of a contact that a masked connection sees in part. */
const maskedFields: ReadonlySet<unknown> = new Set(['email', 'phone', 'email_domain'])
/** Operators that take a whole value, or none. */
const wholeOperators: ReadonlySet<unknown> = new Set(['is', 'exists', 'missing'])

/** Refuses a condition that asks for a part of an address or number, wherever it stands. */
export function checkMaskedInput(value: unknown, at = ''): void {
  if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) checkMaskedInput(entry, `${at}[${i}]`)
  } else if (isObject(value)) {
    const { field, op } = value
    if (maskedFields.has(field) && op !== undefined && !wholeOperators.has(op)) {
      throw partOfAddress(at === '' ? 'op' : `${at}.op`, String(field))
    }
    // Links may hold what a mail filled in about the person, so that each guess would tell a part.
    if ((value['did'] ?? value['did_not']) === 'message.clicked' && value['link'] !== undefined) {
      throw clickedLink(at === '' ? 'link' : `${at}.link`)
    }
    for (const [path, rule] of Object.entries(objectOf(value['where']))) {
      if (objectOf(rule)['contains'] !== undefined) {
        throw partOfProperty(`${at === '' ? 'where' : `${at}.where`}.${path}`)
      }
    }
    for (const [key, entry] of Object.entries(value)) {
      checkMaskedInput(entry, at === '' ? key : `${at}.${key}`)
    }
  }
}

const objectOf = (value: unknown) => (isObject(value) ? value : {})

/** Properties may hold the person's address, so that each guess of a part would tell one. */
function partOfProperty(at: string): Refusal {
  const text =
    'This connection sees addresses masked, and a property may hold one: compare the whole value, with is or in. Its person can let it see whole ones in the app, under Connections.'
  return refuse('invalid_request', text, {
    field: at,
    data: { reason: 'masked_condition', sees: 'masked', choices: ['is', 'in'] },
  })
}

function clickedLink(at: string): Refusal {
  const text =
    'This connection sees addresses masked, and a link may hold one: leave link out for whoever clicked any. Its person can let it see whole ones in the app, under Connections.'
  return refuse('invalid_request', text, {
    field: at,
    data: { reason: 'masked_condition', sees: 'masked' },
  })
}

function partOfAddress(at: string, field: string): Refusal {
  const text = `This connection sees addresses and numbers masked, so that a condition on ${field} compares the whole value: op is "is". Its person can let it see whole ones in the app, under Connections.`
  return refuse('invalid_request', text, {
    field: at,
    data: { reason: 'masked_condition', sees: 'masked', choices: ['is'] },
  })
}
