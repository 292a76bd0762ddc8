/** Providers that sign nothing send the user and password of the URL that they were given. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { sameBytes, sha256 } from '../../lib/crypto/vault.ts'
import type { ProviderRequest } from './provider.ts'

/** Returns a refusal unless the request has this `user:password` (RFC 7617). */
export function checkLogin(
  { header }: ProviderRequest,
  login: string,
  setting: string,
): Refusal | undefined {
  const received = header('authorization') ?? ''
  const expected = `Basic ${Buffer.from(login).toString('base64')}`
  // Their digests are equally long, so that the comparison does not tell the length.
  if (sameBytes(sha256(received), sha256(expected))) return undefined
  const how = `Give the provider https://USER:PASSWORD@…, with those of ${setting}.`
  return refuse('unauthorized', `User and password are missing or wrong. ${how}`)
}
