/** Who follows a link or loads an image, as far as a request tells. */

import type { Vault } from '../lib/crypto/vault.ts'
import { networkOf } from '../lib/rate-limit/attempts.ts'

/** What an entry point knows of a request. */
export interface Visit {
  method: string
  address: string
  agent: string | undefined
  /** `Sec-Purpose`, `Purpose` and `X-Moz`: that a browser loads ahead of its person. */
  purpose: string | undefined
}

// Proxies of mailbox providers, which load images whether or not somebody looks: Apple's
// says nothing but `Mozilla/5.0`.
const proxies = /^mozilla\/5\.0$|googleimageproxy|ggpht\.com|yahoomailproxy|duckduckgo-email/i
// Scanners and programs that say who they are.
const programs =
  /bot\b|crawl|spider|\bscan|preview|barracuda|proofpoint|mimecast|symantec|messagelabs|cloudmark|trustwave|forcepoint|sophos|bitdefender|safelinks|headless|phantomjs|\b(?:curl|wget|python|libwww|java|okhttp|axios|node|undici|go-http-client|httpclient|facebookexternalhit|slack|telegram|whatsapp|skype)\b/i

/** By its own words; what hides behind a browser's name is told by what it does. */
export function isMachine({ method, agent = '', purpose = '' }: Visit): boolean {
  if (method === 'HEAD' || agent.trim() === '') return true
  if (/prefetch|preview|prerender/i.test(purpose)) return true
  return proxies.test(agent) || programs.test(agent)
}

/** The same for one visitor, and nobody learns from it who it was. */
export function visitorMark(vault: Pick<Vault, 'hmac'>, { address, agent = '' }: Visit): Buffer {
  return vault.hmac('visitor', `${networkOf(address)} ${agent}`).subarray(0, 8)
}
