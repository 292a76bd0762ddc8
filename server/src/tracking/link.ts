/** A tracked link: a row with its destination, named by a hash of the URL. */
import { sha256 } from '../lib/crypto/vault.ts'

export interface Link {
  hash: Buffer
  /** The hash as text. */
  name: string
  url: string
}

export const linkLimits = {
  /** The most characters of a URL. Browsers and mail programs support about as many. */
  urlLength: 2_000,
  /** The most tracked links per message. Further links stay direct. */
  links: 200,
} as const

/** The name of the hidden link, which no person sees. */
export const hiddenHash: Buffer = Buffer.alloc(16)

/** The tracked link for a URL. Undefined for a URL that is not of the web, or too long. */
export function linkTo(text: string): Link | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  const url = URL.parse(text)?.href
  if (url === undefined || url.length > linkLimits.urlLength) return undefined
  const hash = sha256(url).subarray(0, 16)
  return { url, hash, name: hash.toString('base64') }
}
