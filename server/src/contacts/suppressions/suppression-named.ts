/**
 * Finds the suppression that a call names: by its id, or by the address, which only the caller
 * knows.
 */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { markOf, sha256Of } from './suppressions.ts'

const prefix = 'sup_'

export function suppressionIdOf(mark: Buffer): string {
  return `${prefix}${mark.toString('hex')}`
}

export interface NamedSuppression {
  suppression_id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

/** The address hash of the suppression. */
export function readSuppressed(
  hmac: Hmac,
  businessId: Id<'business'>,
  { suppression_id, email, phone }: NamedSuppression,
): Buffer | Refusal {
  const named = Object.entries({ suppression_id, email, phone })
  const given = named.filter(([, one]) => one !== undefined)
  if (given.length !== 1) {
    const text = 'Give exactly one of suppression_id, email and phone.'
    return refuse('invalid_request', text, { field: given[1]?.[0] ?? 'email' })
  }
  if (suppression_id !== undefined) {
    return Buffer.from(suppression_id.slice(prefix.length), 'hex')
  }
  const address = email === undefined ? normalisePhone(phone ?? '') : normaliseEmail(email)
  return isRefusal(address) ? address : markOf(hmac, businessId, address)
}

/** The SHA-256 by which the suppression is listed where no contact has the address. */
export function sha256Named({ suppression_id, email, phone }: NamedSuppression): Buffer | null {
  if (suppression_id !== undefined) return Buffer.from(suppression_id.slice(prefix.length), 'hex')
  const address = email === undefined ? normalisePhone(phone ?? '') : normaliseEmail(email)
  return isRefusal(address) ? null : sha256Of(address)
}
