/** When the built-in inbox may be viewed: it contains everybody's sign-in links. */
import type { FastifyRequest } from 'fastify'
import { type Config, isLoopbackUrl, mayShowInbox } from '../../../config.ts'
import { namesLoopback } from '../../caller-address.ts'

type Place = Pick<Config, 'allowInbox' | 'host' | 'baseUrl' | 'appUrl'>

/** Only while it is the transport of mail, and on loopback or with the operator's permission. */
export function inboxIsServed(config: Place & Pick<Config, 'smtpUrl'>): boolean {
  return config.smtpUrl === undefined && mayShowInbox(config)
}

/** The same for texts. */
export function phonesAreServed(config: Place & Pick<Config, 'sms'>): boolean {
  return config.sms === undefined && mayShowInbox(config)
}

/** Whether a page links to them: only where its reader may follow the link. */
export function linksTo(
  config: Place & Pick<Config, 'smtpUrl' | 'sms'>,
  request: Pick<FastifyRequest, 'isProxied' | 'headers'>,
): { inbox: boolean; phones: boolean } {
  const isShown = mayView(config, request)
  return { inbox: isShown && inboxIsServed(config), phones: isShown && phonesAreServed(config) }
}

/**
 * Whether this request may see them. A tunnel makes a service public without its settings knowing:
 * one that sends its own name as Host is refused by the name, and one that replaces the Host by the
 * headers in which it says who called it. A page elsewhere can point its own name at 127.0.0.1 and
 * read the responses, but it cannot change the Host header. A proxy is expected only where the
 * operator opened the inbox and gave the service a public address.
 */
export function mayView(
  config: Pick<Place, 'allowInbox' | 'baseUrl' | 'appUrl'>,
  request: Pick<FastifyRequest, 'isProxied' | 'headers'>,
): boolean {
  const own = [config.baseUrl, config.appUrl]
  const expectsProxy = config.allowInbox && !own.every(isLoopbackUrl)
  if (request.isProxied && !expectsProxy) return false
  const { host } = request.headers
  const named = URL.parse(`http://${host ?? ''}`)?.hostname
  return namesLoopback(host) || own.some((url) => new URL(url).hostname === named)
}
