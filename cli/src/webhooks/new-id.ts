/** Ids in the service's spelling: a prefix, and a uuid v7 in 26 characters of Crockford base32. */
import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export function newId(prefix: 'evt' | 'dlv'): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomBytes(9).toString('hex')
  const uuid = BigInt(`0x${time}7${random.slice(0, 3)}8${random.slice(3)}`)
  // JavaScript's own digits of base 32 end with v; Crockford's omit i, l, o and u.
  const digits = uuid.toString(32).padStart(26, '0')
  return `${prefix}_${digits.replaceAll(/./g, (digit) => alphabet[Number.parseInt(digit, 32)] ?? '')}`
}
