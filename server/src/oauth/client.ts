/** A registered client: a public one always, known by its id (RFC 7591, RFC 6749 section 2.1). */
import { type Refusal, refuse } from '../platform/errors.ts'

export interface Client {
  id: string
  /** Chosen by the client and verified by no one. */
  name: string
  redirectUris: string[]
}

const clientNameLimit = 200
export const redirectCountLimit = 20

export function unknownClient(): Refusal {
  return refuse(
    'invalid_client',
    'client_id is not known here, or was disabled. Register the client again.',
    { field: 'client_id' },
  )
}

/**
 * The name to show: what the client calls itself, or `fallback` where it says nothing.
 * Control characters would forge lines, and marks of direction turn text round that
 * stands beside the name.
 */
export function clientName(sent: unknown, fallback: string): string | Refusal {
  if (sent === undefined || sent === null) return fallback
  if (typeof sent !== 'string') return refuseName('is not a string')
  if (sent.trim() === '') return fallback
  if (sent.length > clientNameLimit) return refuseName(`has over ${clientNameLimit} characters`)
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(sent)) {
    return refuseName('holds control characters')
  }
  return sent
}

function refuseName(fault: string): Refusal {
  return refuse('invalid_request', `client_name ${fault}.`, { field: 'client_name' })
}
