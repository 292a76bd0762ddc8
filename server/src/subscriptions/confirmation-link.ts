/** The link of a confirmation mail: ids with a MAC, so that only the service can create one. */
import type { Id } from '../core/ids.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { bytesOf, makeToken, readToken, uuidOf } from '../tracking/tokens.ts'

export interface NamedConfirmation {
  businessId: Id<'business'>
  id: Id<'confirmation'>
}

type Hmac = Pick<Vault, 'hmac'>

const noMessage = uuidOf<'message'>(Buffer.alloc(16))

export function confirmationToken(vault: Hmac, { businessId, id }: NamedConfirmation): string {
  const named = { businessId, messageId: noMessage, rest: bytesOf(id) }
  return makeToken(vault, 'confirmation', named)
}

export function readConfirmationToken(vault: Hmac, token: string): NamedConfirmation | undefined {
  const named = readToken(vault, 'confirmation', token)
  return named && { businessId: named.businessId, id: uuidOf<'confirmation'>(named.rest) }
}
