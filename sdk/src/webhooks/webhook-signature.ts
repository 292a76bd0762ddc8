/** `t=<unix_seconds>,v1=<hex_hmac>`: writes and compares it (contract 10.3). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Signature } from './delivery.ts'

/**
 * HMAC-SHA-256 over `<timestamp>.<raw_body>`, in lower-case hex. The key is the whole secret,
 * including `whsec_`, as bytes: no part of it is decoded.
 */
export function hmacOf(secret: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
}

/** The value of the signature header: one `v1=` for each secret. */
export function writeSignature(
  secrets: readonly string[],
  timestamp: string,
  body: string | Uint8Array,
): string {
  return [
    `t=${timestamp}`,
    ...secrets.map((secret) => `v1=${hmacOf(secret, timestamp, body)}`),
  ].join(',')
}

/**
 * Whether any secret made any of the signatures. Every pair is compared, each in
 * constant time, so that neither a near miss nor the place of a match can be measured.
 */
export function matches(
  { timestamp, v1 }: Signature,
  secrets: readonly string[],
  body: string | Uint8Array,
): boolean {
  let found = false
  for (const secret of secrets) {
    const expected = Buffer.from(hmacOf(secret, timestamp, body), 'latin1')
    for (const hex of v1) {
      if (timingSafeEqual(expected, Buffer.from(hex, 'latin1'))) found = true
    }
  }
  return found
}
