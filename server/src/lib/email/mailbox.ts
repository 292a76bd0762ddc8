/** Addresses in header fields, with the name people see. */
import { domainToASCII } from 'node:url'
import { type Refusal, refuse } from '../schema/refusal.ts'
import { encodedWords, needsEncoding, oneLine } from './header-text.ts'

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
