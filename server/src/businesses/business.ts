import { type Refusal, refuse } from '../platform/errors.ts'
import type { Id } from '../platform/ids.ts'
import type { Role, Tier } from '../platform/operation.ts'
import { hasUnseen } from '../platform/visible-text.ts'

export interface Business {
  id: Id<'business'>
  name: string
  tier: Tier
  /** An IANA name such as `Europe/Paris`. */
  timeZone: string
  /** A BCP 47 tag such as `pt-BR`. */
  language: string
  postalAddress: string | null
  createdAt: Date
}

/** A business as one of its members sees it. */
export interface Membership {
  id: Id<'business'>
  name: string
  role: Role
}

const longestName = 100

/** A name as people see it: one line, nothing unseen in it, never empty. */
export function businessName(text: string): string | Refusal {
  const name = text.normalize('NFC').replace(/\s+/gu, ' ').trim()
  const fine = name !== '' && name.length <= longestName && !hasUnseen(name)
  return fine
    ? name
    : refuse('invalid_request', `A business has a name of 1 to ${longestName} characters.`, {
        field: 'name',
      })
}
