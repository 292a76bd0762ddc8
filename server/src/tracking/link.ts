/** A link that counts clicks: a row that knows where it leads, named by the hash of its URL. */
import { sha256 } from '../lib/crypto/vault.ts'

export interface Link {
  hash: Buffer
  /** The hash as text. */
  name: string
  url: string
}

export const linkLimits = {
  /** Characters of a URL; browsers and mail programs take about as many. */
  urlLength: 2_000,
  /** Links of one message that count; those beyond lead where they led. */
  links: 200,
} as const

/** Names the link that no person sees. */
export const hiddenHash: Buffer = Buffer.alloc(16)

/** The link a URL makes; undefined for what is not of the web, or is too long. */
export function linkTo(text: string): Link | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  const url = URL.parse(text)?.href
  if (url === undefined || url.length > linkLimits.urlLength) return undefined
  const hash = sha256(url).subarray(0, 16)
  return { url, hash, name: hash.toString('base64') }
}
