/**
 * A registered client. It is always a public client, identified by its id (RFC 7591, RFC 6749
 * section 2.1).
 */
import { type Refusal, refuse } from '../../core/errors.ts'
import { deceptionIn, withoutEmojiStyle } from '../../lib/text/deceptive-name.ts'
import { hasUnseen } from '../../lib/text/visible-text.ts'

export interface Client {
  id: string
  /** The client chose the name, and nobody verified it. */
  name: string
  redirectUris: string[]
}

const clientNameLimit = 200
export const redirectCountLimit = 20

export function unknownClient(): Refusal {
  return refuse(
    'invalid_client',
    'client_id is unknown or was disabled. Register the client again.',
    { field: 'client_id' },
  )
}

/** The name to show: the client's own name, or `fallback` if it has none. */
export function clientName(sent: unknown, fallback: string): string | Refusal {
  if (sent === undefined || sent === null) return fallback
  if (typeof sent !== 'string') return refuseName('is not a string')
  if (sent.trim() === '') return fallback
  if (sent.length > clientNameLimit) return refuseName(`has over ${clientNameLimit} characters`)
  if (hasUnseen(sent)) return refuseName('holds control or format characters')
  const deception = deceptionIn(sent)
  if (deception !== undefined) return refuseName(`${deception}: it could be taken for another name`)
  return withoutEmojiStyle(sent)
}

function refuseName(fault: string): Refusal {
  return refuse('invalid_request', `client_name ${fault}.`, { field: 'client_name' })
}
