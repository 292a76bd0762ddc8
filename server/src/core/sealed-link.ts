/**
 * A short-lived link contains its data and its time limit, sealed, so that nobody can read or
 * change them. The holder of the link needs nothing else.
 */

import type { Vault } from '../lib/crypto/vault.ts'

export interface SealedLinks<T extends object> {
  make(data: T, endsAt: Date): string
  /** Returns undefined if the link is not ours, or has expired. */
  read(token: string, now: Date): T | undefined
}

const longestToken = 20_000

export function createSealedLinks<T extends object>(
  vault: Pick<Vault, 'seal' | 'open'>,
  purpose: string,
): SealedLinks<T> {
  const context = `link:${purpose}`
  return {
    make(data, endsAt) {
      const plain = Buffer.from(JSON.stringify({ data, ends_at: endsAt.getTime() }))
      return vault.seal(context, plain).toString('base64url')
    },
    read(token, now) {
      if (token.length > longestToken || !/^[\w-]+$/.test(token)) return undefined
      const sealed = Buffer.from(token, 'base64url')
      try {
        const { data, ends_at } = JSON.parse(vault.open(context, sealed).toString('utf8')) as {
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
