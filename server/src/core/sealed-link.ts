/**
 * A short-lived link contains its data and its time limit, sealed, so that nobody can read or
 * change them. The holder of the link needs nothing else.
 */

import { deflateSync, inflateSync } from 'node:zlib'
import type { Vault } from '../lib/crypto/vault.ts'
import { refuse } from './errors.ts'

export interface SealedLinks<T extends object> {
  /** Throws the refusal of data that is too long for an address, as a long filter may be. */
  make(data: T, endsAt: Date): string
  /** Returns undefined if the link is not ours, or has expired. */
  read(token: string, now: Date): T | undefined
}

/** Proxies pass on request lines of 8 kB, of which the host and the path need a part. */
export const longestToken = 7_000

/** Far above what a token of that length holds, for the filters that are allowed. */
const longestData = 200_000

const tooLong = refuse(
  'invalid_request',
  'The filter is too long for a link. Use fewer values, or tag these contacts and filter by the tag.',
  { field: 'filter', data: { reason: 'filter_too_long' } },
)

export function createSealedLinks<T extends object>(
  vault: Pick<Vault, 'seal' | 'open'>,
  purpose: string,
): SealedLinks<T> {
  const context = `link:${purpose}`
  return {
    make(data, endsAt) {
      const plain = deflateSync(JSON.stringify({ data, ends_at: endsAt.getTime() }))
      const token = vault.seal(context, plain).toString('base64url')
      if (token.length > longestToken) throw tooLong
      return token
    },
    read(token, now) {
      if (token.length > longestToken) return undefined
      const sealed = Buffer.from(token, 'base64url')
      // Only one spelling is accepted, although the decoder would ignore meaningless letters.
      if (sealed.toString('base64url') !== token) return undefined
      try {
        const plain = inflateSync(vault.open(context, sealed), { maxOutputLength: longestData })
        const { data, ends_at } = JSON.parse(plain.toString('utf8')) as {
          data: T
          ends_at: number
        }
        return ends_at > now.getTime() ? data : undefined
      } catch {
        return undefined
      }
    },
  }
}
