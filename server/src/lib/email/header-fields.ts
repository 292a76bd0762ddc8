/**
 * Human-readable text and addresses in header fields: one line, ASCII, folded. No text can end the
 * field that contains it (RFC 5322 section 2.2.3, RFC 2047).
 */

/** RFC 5322 section 2.1.1 asks for 78; RFC 2047 section 2 for 76 in lines with encoded words. */

import { domainToASCII } from 'node:url'
import { type Refusal, refuse } from '../schema/refusal.ts'

/** RFC 5322 section 2.1.1 asks for 78; RFC 2047 section 2 for 76 in lines with encoded words. */
const lineLength = 76

const wordLength = 75

// Controls, line ends and spaces become one space. Direction overrides are removed, because a name
// that reads backwards can look like another one.
const breaks = /[\p{Cc}\p{Zl}\p{Zp} ]+/gu

const overrides = /[\u202a-\u202e\u2066-\u2069]/g

/** One line without controls and without spaces at its ends. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(overrides, '').replace(breaks, ' ').trim()
}

/** A field whose value is free text, such as a subject. */
export function textField(name: string, text: string): string {
  const line = oneLine(text)
  return foldedField(name, needsEncoding(line) ? encodedWords(line, name.length + 2) : line)
}

/**
 * `name: value`, folded before spaces where it would exceed a line. The value is ASCII and contains
 * no line end. A word longer than a line stays whole.
 */
export function foldedField(name: string, value: string): string {
  const [first = '', ...more] = value.split(' ')
  let field = `${name}: ${first}`
  let length = field.length
  for (const word of more) {
    // A line of nothing but spaces would not be a fold (RFC 5322 section 3.2.2).
    const fits = length + 1 + word.length <= lineLength || word === ''
    field += fits ? ` ${word}` : `\r\n ${word}`
    length = fits ? length + 1 + word.length : 1 + word.length
  }
  return `${field}\r\n`
}

const printable = /^[ -~]*$/

/** Whether the text must be encoded: beyond ASCII, like an encoded word, or too long to fold. */
function needsEncoding(line: string): boolean {
  return !printable.test(line) || line.includes('=?') || /\S{61}/.test(line)
}

/** The text as encoded words, separated by spaces. The first leaves room for `taken` characters. */
function encodedWords(line: string, column: number): string {
  const bytes = Buffer.byteLength(line)
  // Base64 is shorter from about a third of the bytes beyond ASCII.
  const spell = bytes > line.length * 1.3 ? base64Word : quotedWord
  const words: string[] = []
  let chunk = ''
  for (const character of line) {
    const room = words.length === 0 ? lineLength - column : wordLength
    const longer = chunk + character
    if (chunk !== '' && spell(longer).length > room) {
      words.push(spell(chunk))
      chunk = character
    } else {
      chunk = longer
    }
  }
  words.push(spell(chunk))
  return words.join(' ')
}

function base64Word(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}

/** Only characters that are allowed in a phrase stay unencoded (RFC 2047 section 5, rule 3). */
function quotedWord(text: string): string {
  let word = ''
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte)
    if (character === ' ') word += '_'
    else if (/[A-Za-z0-9!*+\-/]/.test(character)) word += character
    else word += `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return `=?UTF-8?Q?${word}?=`
}

/** Letters, digits and dashes: stricter than the standard, but accepted by every server. */
export function isHeaderName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9-]{0,59}$/.test(name)
}

/** Printable ASCII in one line, no spaces at its ends, and no word longer than 900 characters. */
export function isHeaderValue(value: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !hasLongWord(value)
}

/**
 * Searches only values that are long enough: at each letter of a link the pattern runs to its end,
 * which was a tenth of the cost of building a campaign's mail.
 */
function hasLongWord(value: string): boolean {
  return value.length > longestWord && /\S{901}/.test(value)
}

const longestWord = 900

export interface Mailbox {
  name?: string
  address: string
}

// RFC 5322 dot-atom. Quoted local parts and characters beyond ASCII are refused: they would need a
// receiver with SMTPUTF8 (RFC 6532), and other receivers would bounce the mail.
const atom = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~]+"

const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`)

const domainName =
  /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

const longestLocal = 64

const longestAddress = 254

/** `ana@example.com`, or `Ana <ana@example.com>`. */
export function parseMailbox(text: string): Mailbox {
  const parts = /^([^<>]*)<([^<>]*)>\s*$/.exec(text)
  if (!parts) return { address: text.trim() }
  const name = (parts[1] ?? '').trim().replace(/^"(.*)"$/s, '$1')
  return { ...(name && { name }), address: (parts[2] ?? '').trim() }
}

/** The address as SMTP accepts it: its domain in A-labels (RFC 5890). */
export function smtpAddress(address: string, field: string): string | Refusal {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const typed = address.slice(at + 1)
  const domain = isPlain(typed) ? typed : inAscii(typed)
  const spelled = `${local}@${domain}`
  const fine =
    at > 0 &&
    local.length <= longestLocal &&
    localPart.test(local) &&
    domainName.test(domain) &&
    spelled.length <= longestAddress
  return fine
    ? spelled
    : refuse(
        'invalid_request',
        `${field} must be an address such as ana@example.com, in ASCII before the @.`,
        { field, data: { reason: 'no_email' } },
      )
}

/** The form of nearly all domains, which the far more expensive URL parser would not change. */
function isPlain(domain: string): boolean {
  return /^[a-z0-9.-]+\.[a-z]{2,}$/.test(domain) && !domain.includes('xn--')
}

function inAscii(domain: string): string {
  // The URL parser would also accept ports and percent escapes.
  return /[\s:/?#[\]@\\%]/.test(domain) ? '' : domainToASCII(domain)
}

/** A mailbox as it is written in a field whose name takes `taken` characters. */
export function spellMailbox({ name }: Mailbox, spelled: string, column: number): string {
  const displayName = name === undefined ? '' : oneLine(name)
  if (displayName === '') return spelled
  return `${phrase(displayName, column)} <${spelled}>`
}

function phrase(name: string, column: number): string {
  if (needsEncoding(name)) return encodedWords(name, column)
  if (/^[A-Za-z0-9 !#$%&'*+\-/=?^_`{|}~]+$/.test(name)) return name
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}
