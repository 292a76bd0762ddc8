/**
 * What a masked connection sees of people at the tool endpoint: addresses and numbers with their
 * middle left out, in whatever part of an answer they stand. It can name whole addresses, but ask for
 * no part of one, so that no count tells what the answer leaves out.
 */
import { isObject } from '../lib/text/i-json.ts'
import { type Refusal, refuse } from './errors.ts'

const ellipsis = '…'

/** `a…@example.com`. */
function maskEmail(address: string): string {
  const at = address.search(atSign)
  const [first = ''] = address
  return `${first}${ellipsis}${address.slice(at)}`
}

/** `+41…67`. */
function maskPhone(number: string): string {
  return `${number.slice(0, 3)}${ellipsis}${number.slice(-2)}`
}

/** An @ as it is typed, as it is written in the query of a URL, and in HTML. */
const atSign = /[@\uff20\ufe6b]|%40|&(?:#64|#x40|commat);/gi
/** The characters of an address before its @, as they are also written in the query of a URL. */
const localPart = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
const hostPart = /[\p{L}\p{N}.%-]/u
/** The most characters that are read on either side of an @: longer ones are no address. */
const longestPart = 320
const mostSpaces = 2

interface Span {
  start: number
  end: number
}

/** Each address in the text, by the @ in it. Spaces around it are allowed before a host with a dot. */
function emailsIn(text: string): Span[] {
  const spans: Span[] = []
  for (const { index, 0: sign } of text.matchAll(atSign)) {
    const floor = Math.max(spans.at(-1)?.end ?? 0, index - longestPart)
    const localEnd = withoutSpaces(text, { from: index, step: -1, floor })
    const hostStart = withoutSpaces(text, { from: index + sign.length, step: 1, floor })
    let end = hostStart
    const ceiling = Math.min(text.length, end + longestPart)
    while (end < ceiling && hostPart.test(text[end] as string)) end++
    const start = startOfLocal(text, localEnd, floor)
    const isSpaced = localEnd < index || hostStart > index + sign.length
    if (start >= localEnd || end <= hostStart) continue
    if (isSpaced && !/\.[\p{L}\p{N}]/u.test(text.slice(hostStart, end))) continue
    spans.push({ start, end })
  }
  return spans
}

function withoutSpaces(
  text: string,
  { from, step, floor }: { from: number; step: 1 | -1; floor: number },
): number {
  for (let at = from, spaces = 0; spaces <= mostSpaces; at += step, spaces++) {
    const next = step === 1 ? at : at - 1
    if (next < floor || next >= text.length || text[next] !== ' ') return at
  }
  return from
}

function startOfLocal(text: string, end: number, floor: number): number {
  if (text[end - 1] === '"') {
    const quote = text.lastIndexOf('"', end - 2)
    return quote >= floor ? quote : end
  }
  let start = end
  while (start > floor && localPart.test(text[start - 1] as string)) start--
  const run = text.slice(start, end)
  // In a URL, the path and `?to=` are before the address.
  if (!/^[/?&]/.test(run)) return start
  const lead = /^.*(?:[=?&/]|%3[dD]|%3[fF]|%2[fF]|%26)/.exec(run)?.[0] ?? ''
  return start + lead.length
}

/** A number that begins like one that can be dialled, in one of its spellings. */
const phonePattern =
  /(?:[+\uff0b]|%2b)[ (]?\p{Nd}[\p{Nd}\p{Zs}\p{Pd}()./]{4,60}\p{Nd}|(?<![\p{L}\p{N}_.-])[0\uff10]\p{Nd}[\p{Nd}\p{Zs}\p{Pd}()./]{4,60}\p{Nd}(?![\p{L}\p{N}_]|:\p{Nd})/giu
/** A number of that length without a sign before it, in what a stranger typed. */
const barePattern = /(?<![\p{L}\p{N}_./:-])[1-9][0-9]{9,14}(?![\p{L}\p{N}_:])/gu
const fewestDigits = { international: 7, national: 9 }

/** A day, perhaps with the time after it. */
const dayPattern = /^0[0-9][./-][0-9]{1,2}[./-](?:19|20)[0-9]{2}(?![0-9])/

/** Whether it has the digits of a number; more may be several, or part of one. */
function isPhone(spelling: string): boolean {
  const digits = digitsOf(spelling).length
  const isInternational = /^(?:[+\uff0b]|%2b)/i.test(spelling)
  const fewest = isInternational ? fewestDigits.international : fewestDigits.national
  return digits >= fewest
}

const digitsOf = (spelling: string) => spelling.replace(/^%2b/i, '').replace(/\P{Nd}/gu, '')

/** An address or a number without what differs between its spellings. */
function sameSpelling(text: string): string {
  const plain = text.replace(atSign, '@').replace(/ /g, '').toLowerCase()
  return plain.includes('@') ? plain : `+${digitsOf(text)}`
}

interface Masking {
  /** Addresses and numbers that are shown. */
  exceptions: ReadonlySet<string>
  /** Whether a stranger typed the text. */
  isUntrusted: boolean
}

function maskText(text: string, { exceptions, isUntrusted }: Masking): string {
  const isKnown = (spelling: string) => exceptions.has(sameSpelling(spelling))
  let masked = ''
  let last = 0
  for (const { start, end } of emailsIn(text)) {
    const address = text.slice(start, end)
    masked += text.slice(last, start) + (isKnown(address) ? address : maskEmail(address))
    last = end
  }
  masked += text.slice(last)
  const maskNumbers = (piece: string): string =>
    piece.replace(phonePattern, (spelling) => {
      const [day] = dayPattern.exec(spelling) ?? []
      if (day !== undefined) return day + maskNumbers(spelling.slice(day.length))
      return !isPhone(spelling) || isKnown(spelling) ? spelling : maskPhone(spelling)
    })
  const dialled = maskNumbers(masked)
  if (!isUntrusted) return dialled
  return dialled.replace(barePattern, (spelling) =>
    isKnown(spelling) ? spelling : maskPhone(spelling),
  )
}

/** Fields of a call that name a person by an address or a number. */
const namingFields: ReadonlySet<string> = new Set(['email', 'phone', 'to'])
/** So many people a call names at most: who tries more addresses is guessing. */
const mostNamed = 20

/** The addresses and numbers by which a call names people, as it may see them again. */
export function namedIn(input: unknown): Set<string> {
  const people = new Set<string>()
  const search = (value: unknown): void => {
    if (Array.isArray(value)) for (const entry of value) search(entry)
    if (!isObject(value)) return
    for (const [key, entry] of Object.entries(value)) {
      const isNaming = namingFields.has(key) || (key === 'value' && value['op'] === 'is')
      if (isNaming) for (const spelling of addressesIn(entry)) people.add(spelling)
      else search(entry)
    }
  }
  search(input)
  return new Set([...people].slice(0, mostNamed))
}

/** The addresses and numbers that stand anywhere in a value. */
export function addressesIn(value: unknown): Set<string> {
  const addresses = new Set<string>()
  visit(value, (text) => {
    for (const { start, end } of emailsIn(text)) addresses.add(sameSpelling(text.slice(start, end)))
    for (const [number] of text.matchAll(phonePattern)) addresses.add(sameSpelling(number))
  })
  return addresses
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
export function masked<T>(value: T, exceptions: ReadonlySet<string>, isUntrusted?: boolean): T
export function masked(
  value: unknown,
  exceptions: ReadonlySet<string>,
  isUntrusted = false,
): unknown {
  const masking = { exceptions, isUntrusted }
  if (typeof value === 'string') return maskText(value, masking)
  if (isUntrusted && typeof value === 'number') return maskNumber(value, masking)
  if (Array.isArray(value)) return value.map((entry) => masked(entry, exceptions, isUntrusted))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      maskText(key, masking),
      masked(shownOf(key, entry, value), exceptions, isUntrusted || key === 'untrusted'),
    ]),
  )
}

/** A number of a stranger's answer, of which the text is shown where it is long enough to be dialled. */
function maskNumber(value: number, masking: Masking): unknown {
  const text = String(value)
  const maskedText = maskText(text, masking)
  return maskedText === text ? value : maskedText
}

/** What is shown of a field that can hold a part of an address, by what it stands beside. */
function shownOf(key: string, value: unknown, siblings: Record<string, unknown>): unknown {
  // The hash of a number can be reversed by trying all numbers.
  if (key === 'sha256') return null
  const isOfMessage = typeof siblings['message_id'] === 'string'
  // A subject or text was filled in, perhaps with the first letters of the address alone.
  if (key === 'untrusted' && isOfMessage && isObject(value) && 'subject' in value) {
    return { subject: null }
  }
  const isOfOne = isOfMessage || 'at' in siblings
  if (key === 'untrusted' && isOfOne && isObject(value) && 'url' in value) {
    return { ...value, url: shownOf('url', value['url'], siblings) }
  }
  // A link that was clicked may have been filled in too.
  if (key === 'url' && isOfOne && typeof value === 'string') {
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

/** A contact as a preview may show it: no address and no number stands in any of its fields. */
export function maskedPerson<T extends { email: string | null; phone: string | null }>(
  person: T,
): T {
  const { email, phone } = person
  return {
    ...masked(person, new Set(), true),
    email: email && maskEmail(email),
    phone: phone && maskPhone(phone),
  }
}

interface Reader {
  email: string | null
  phone: string | null
  attributes: Readonly<Record<string, string | number | boolean>>
}

/**
 * A contact as the mail to themselves shows it, in words of such a connection. Addresses and numbers
 * are masked; other long numbers and hashes, such as those of orders, are not.
 */
export function maskedReader<T extends Reader>(person: T): T {
  const { attributes, phone, ...others } = person
  const plain = { exceptions: new Set<string>(), isUntrusted: false }
  const isOwnNumber = (value: string | number | boolean) => phone !== null && `+${value}` === phone
  const readable = (value: string | number | boolean) => {
    if (isOwnNumber(value)) return maskPhone(String(value))
    return typeof value === 'string' ? maskText(value, plain) : value
  }
  return {
    ...person,
    ...masked(others, plain.exceptions),
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [maskText(key, plain), readable(value)]),
    ),
    email: person.email && maskEmail(person.email),
    phone: phone && maskPhone(phone),
  }
}

/** Built-in fields of a contact that a masked connection sees in part. */
const maskedFields: ReadonlySet<unknown> = new Set(['email', 'phone', 'email_domain'])
/** Operators that take a whole value, or none. */
const wholeOperators: ReadonlySet<unknown> = new Set(['is', 'exists', 'missing'])

/** Operators that compare a part of a text, or its size, and so tell about what it holds. */
const partOperators: ReadonlySet<unknown> = new Set([
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
])
const numberOperators: ReadonlySet<unknown> = new Set(['gt', 'gte', 'lt', 'lte', 'between'])

/** A condition on a part of a field that may hold an address in this business, or not. */
export interface PartCondition {
  field: string
  /** Whether it is compared as a number. */
  isNumber: boolean
  at: string
}

/**
 * Refuses what asks for a part of an address or number, wherever it stands: a condition, or content
 * that reads more of the address of a contact than `{{ contact.email }}` puts out. Returns the
 * conditions on parts of other fields.
 */
export function checkMaskedInput(
  value: unknown,
  at = '',
  isCaptured = hasCapture(value),
): PartCondition[] {
  if (typeof value === 'string') {
    if (readsAddress(value, isCaptured)) throw readAddress(at)
    return []
  }
  if (Array.isArray(value)) {
    return value.flatMap((entry, i) => checkMaskedInput(entry, `${at}[${i}]`, isCaptured))
  }
  if (!isObject(value)) return []
  const { field, op } = value
  if (maskedFields.has(field) && op !== undefined && !wholeOperators.has(op)) {
    throw partOfAddress(at === '' ? 'op' : `${at}.op`, String(field))
  }
  // Links may hold what a mail filled in about the person, so that each guess would tell a part.
  if ((value['did'] ?? value['did_not']) === 'message.clicked' && value['link'] !== undefined) {
    throw clickedLink(at === '' ? 'link' : `${at}.link`)
  }
  for (const [path, rule] of Object.entries(objectOf(value['where']))) {
    const { contains, gt, lt } = objectOf(rule)
    if (contains !== undefined || [gt, lt].some(isLongNumber)) {
      throw partOfProperty(`${at === '' ? 'where' : `${at}.where`}.${path}`)
    }
  }
  const isNumber = numberOperators.has(op)
  const own =
    typeof field === 'string' && (isNumber || partOperators.has(op))
      ? [{ field, isNumber, at: at === '' ? 'op' : `${at}.op` }]
      : []
  const inner = Object.entries(value).flatMap(([key, entry]) =>
    checkMaskedInput(entry, at === '' ? key : `${at}.${key}`, isCaptured),
  )
  return [...own, ...inner]
}

/** What may follow `contact` in a Liquid tag of such a connection. */
const plainFields = /^\.(?:name|first_name|last_name|language|tags|attributes)(?![a-z0-9_])/i
const wholeAddress = /^-?\s*contact\.(?:email|phone)\s*-?$/

/**
 * Whether Liquid in the text does more with an address than to put it out: compare it, or cut it. A
 * tag may end at the first sign of its end, or at the first one outside of quotes.
 */
function readsAddress(text: string, isCaptured: boolean): boolean {
  if (!text.includes('contact')) return false
  return [false, true].some((skipsQuotes) => {
    for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
      const close = text[at + 1] === '{' ? '}}' : text[at + 1] === '%' ? '%}' : undefined
      if (close === undefined) continue
      const end = endOfTag(text, { from: at + 2, close, skipsQuotes })
      if (namesAddress(text.slice(at + 2, end), { isWhole: close === '}}' && !isCaptured })) {
        return true
      }
      at = end
    }
    return false
  })
}

/** Whether a text encloses others, so that one of them can be compared and cut when it is put out. */
function hasCapture(value: unknown): boolean {
  let isFound = false
  visit(value, (text) => {
    isFound ||= /\{%-?\s*(?:capture|liquid)\b/.test(text)
  })
  return isFound
}

interface OpenTag {
  from: number
  close: string
  skipsQuotes: boolean
}

function endOfTag(text: string, { from, close, skipsQuotes }: OpenTag): number {
  let quote: string | undefined
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (quote === undefined && text.startsWith(close, at)) return at
    if (skipsQuotes && quote === undefined && (character === '"' || character === "'")) {
      quote = character
    } else if (character === quote) quote = undefined
  }
  return text.length
}

function namesAddress(tag: string, { isWhole }: { isWhole: boolean }): boolean {
  if (isWhole && wholeAddress.test(tag)) return false
  const words = tag.replace(/"[^"]*"|'[^']*'/g, '""')
  for (let at = words.indexOf('contact'); at >= 0; at = words.indexOf('contact', at + 1)) {
    const rest = words.slice(at + 'contact'.length, at + 'contact'.length + 20)
    const isWord = !/[\w-]/.test(words[at - 1] ?? ' ') && !/^[\w-]/.test(rest)
    if (isWord && !plainFields.test(rest)) return true
  }
  return false
}

const objectOf = (value: unknown) => (isObject(value) ? value : {})

/** Whether comparing with it would tell a number that can be dialled from others, half by half. */
const isLongNumber = (bound: unknown): boolean =>
  bound !== undefined && !(Math.abs(Number(bound)) < 100_000_000)

/** Properties may hold the person's address, so that each guess of a part would tell one. */
function partOfProperty(at: string): Refusal {
  const text =
    'This connection sees addresses and numbers masked, and a property may hold one: compare the whole value, with is or in, or a number of at most eight digits, with gt or lt. Its person can let it see whole ones in the app, under Connections.'
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

function readAddress(at: string): Refusal {
  const text =
    'This connection sees addresses and numbers masked, so that its content puts them out as they are, {{ contact.email }}, and neither compares nor changes them. Its person can let it see whole ones in the app, under Connections.'
  return refuse('invalid_request', text, {
    field: at,
    data: { reason: 'masked_condition', sees: 'masked' },
  })
}

/** The conditions on different fields, of which a call may have as many as a filter. */
export function partFieldsOf(conditions: readonly PartCondition[]): PartCondition[] {
  const byField = new Map<string, PartCondition>()
  for (const condition of conditions) {
    const key = `${condition.isNumber} ${condition.field}`
    if (!byField.has(key)) byField.set(key, condition)
  }
  if (byField.size <= mostPartFields) return [...byField.values()]
  const text = `This connection sees addresses and numbers masked, so that a call compares a part of at most ${mostPartFields} fields.`
  throw refuse('invalid_request', text, {
    data: { reason: 'masked_condition', sees: 'masked', limit: mostPartFields },
  })
}

/** As many as a filter has conditions. */
const mostPartFields = 50

/** The refusal of a condition on a part of a field in which addresses or numbers stand. */
export function partOfField({ field, at }: PartCondition): Refusal {
  const text = `This connection sees addresses and numbers masked, and ${field} may hold some: compare the whole value, with is or in. Its person can let it see whole ones in the app, under Connections.`
  return refuse('invalid_request', text, {
    field: at,
    data: { reason: 'masked_condition', sees: 'masked', choices: ['is', 'in'] },
  })
}
