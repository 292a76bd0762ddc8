/**
 * Magic links. The token is an HMAC of the link's id, so that it can be computed when the mail is
 * rendered: neither the queue nor the table ever holds it.
 */

import type { Id } from '../../core/ids.ts'
import { sha256, type Vault } from '../../lib/crypto/vault.ts'
import { minutes } from '../../lib/time/clock.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'

/**
 * `connect`: authorize a client. `session`: sign in to the pages. `setup`: create the first user.
 */
export type LinkPurpose = 'connect' | 'session' | 'setup'

/** The data that the person was shown; the page that created the link reads the rest. */
export interface LinkRequest {
  /** The redirect's host, where the browser is sent afterwards, as text that is safe to print. */
  leadsTo?: string
  /** The language of the mail; English by default. */
  language?: MailLanguage
  [more: string]: unknown
}

export interface MagicLink {
  id: Id<'link'>
  purpose: LinkPurpose
  /** Null for the set-up link, which creates the first user. */
  email: string | null
  request: LinkRequest
  /** SHA-256 of the cookie of the browser that requested the link. */
  browserHash: Buffer | null
  /** Set if another browser must type the code that the first one shows. */
  shortCodeHash: Buffer | null
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
}

export const linkLifetime = minutes(10)
export const setupLifetime = minutes(30)

export function tokenOf(vault: Vault, id: Id<'link'>): string {
  return vault.hmac('magic-link', id).toString('base64url')
}

export function hashOf(token: string): Buffer {
  return sha256(token)
}

/** `connect` links go to the API's host, where the authorize page set its cookie. */
export function linkUrl(
  urls: { baseUrl: string; appUrl: string },
  purpose: LinkPurpose,
  token: string,
): string {
  if (purpose === 'setup') return `${urls.appUrl}/setup/${token}`
  return `${purpose === 'connect' ? urls.baseUrl : urls.appUrl}/sign-in/${token}`
}
