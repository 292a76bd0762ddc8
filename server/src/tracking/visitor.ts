/** The facts that a request reveals about the visitor who follows a link or loads an image. */

import type { Vault } from '../lib/crypto/vault.ts'
import { networkOf } from '../lib/rate-limit/attempts.ts'

/** The facts of a request that an entry point passes on. */
export interface Visit {
  method: string
  address: string
  agent: string | undefined
  /** `Sec-Purpose`, `Purpose` and `X-Moz`: set if a browser loads ahead of its user. */
  purpose: string | undefined
}

// Proxies of mailbox providers that load images even if nobody looks. Apple's sends only
// `Mozilla/5.0`.
const proxies = /^mozilla\/5\.0$|duckduckgo-email/i
// Proxies that load images when a person opens the mail. At delivery they may load them to scan.
const readersProxies = /googleimageproxy|ggpht\.com|yahoomailproxy/i
// Scanners and programs that identify themselves.
const programs =
  /bot\b|crawl|spider|\bscan|preview|barracuda|proofpoint|mimecast|symantec|messagelabs|cloudmark|trustwave|forcepoint|sophos|bitdefender|safelinks|headless|phantomjs|\b(?:curl|wget|python|libwww|java|okhttp|axios|node|undici|go-http-client|httpclient|facebookexternalhit|slack|telegram|whatsapp|skype)\b/i

/** Whether a proxy loads an image for a reader, so that the moment tells whether somebody looked. */
export function isReadersProxy({ method, agent = '', purpose = '' }: Visit): boolean {
  return method !== 'HEAD' && purpose === '' && readersProxies.test(agent)
}

/**
 * Whether it identifies itself as a machine. One that pretends to be a browser is detected by its
 * behaviour.
 */
export function isMachine({ method, agent = '', purpose = '' }: Visit): boolean {
  if (method === 'HEAD' || agent.trim() === '') return true
  if (/prefetch|preview|prerender/i.test(purpose)) return true
  return proxies.test(agent) || readersProxies.test(agent) || programs.test(agent)
}

/** A value that is the same for one visitor and does not reveal the visitor. */
export function visitorMark(vault: Pick<Vault, 'hmac'>, { address, agent = '' }: Visit): Buffer {
  return vault.hmac('visitor', `${networkOf(address)} ${agent}`).subarray(0, 8)
}
