/**
 * A person is an email address. Two spellings that reach one mailbox by the rules that every mail
 * server follows (case, an international domain and its ASCII form) are one person. Differences
 * that only some providers ignore (dots, plus tags) make different persons.
 */
import { domainToASCII } from 'node:url'
import { type Refusal, refuse } from '../schema/refusal.ts'
import { joiner, withoutInvisible } from '../text/visible-text.ts'

// RFC 5321 section 4.5.3.1: 64 octets before the @, and 254 leave room for the path's brackets.
const longestLocal = 64
const longestAddress = 254

// RFC 5322 dot-atom with RFC 6531's letters beyond ASCII, without quoted local parts (unused).
const local =
  /^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+)*$/u
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

// Within a domain, joiners may belong to its name (RFC 5892 appendix A).
const joinersAtEdges = /^[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+$/g

// The common form, in ASCII and lower case, needs no change.
const plain =
  /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

export function normaliseEmail(text: string): string | Refusal {
  if (isPlain(text)) return text
  const typed = withoutInvisible(text.normalize('NFC'), joiner).trim()
  const at = typed.lastIndexOf('@')
  const name = withoutInvisible(typed.slice(0, at)).toLowerCase()
  const domain = at < 1 ? '' : asciiDomain(typed.slice(at + 1).replace(joinersAtEdges, ''))
  const address = `${name}@${domain}`
  const fine =
    domain !== '' &&
    local.test(name) &&
    Buffer.byteLength(name) <= longestLocal &&
    Buffer.byteLength(address) <= longestAddress
  return fine
    ? address
    : refuse('invalid_request', 'That is not an email address. It looks like ana@example.com.', {
        field: 'email',
        data: { reason: 'no_email' },
      })
}

/** A label in the form of an international one (RFC 5890 section 2.3.2.1) needs the full check. */
function isPlain(text: string): boolean {
  return (
    text.length <= longestAddress &&
    plain.test(text) &&
    text.indexOf('@') <= longestLocal &&
    !text.includes('xn--')
  )
}

/** The domain as DNS spells it, or '' where it cannot receive mail. */
function asciiDomain(domain: string): string {
  // The URL parser also accepts ports, percent escapes and IPv4 numbers, which no label contains.
  if (/[\s:/?#[\]@\\%]/.test(domain)) return ''
  const ascii = domainToASCII(domain).replace(/\.$/, '')
  const labels = ascii.split('.')
  const top = labels.at(-1) ?? ''
  return ascii.length <= 253 && labels.every((text) => label.test(text)) && !/^\d+$/.test(top)
    ? ascii
    : ''
}
