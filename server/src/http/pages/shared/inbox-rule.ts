/** When the built-in inbox may be viewed: it contains everybody's sign-in links. */
import type { FastifyRequest } from 'fastify'
import { type Config, isLoopbackUrl, mayShowInbox } from '../../../config.ts'

type Place = Pick<Config, 'allowInbox' | 'host' | 'baseUrl' | 'appUrl'>

/** Only while it is the transport of mail, and on loopback or with the operator's permission. */
export function inboxIsServed(config: Place & Pick<Config, 'smtpUrl'>): boolean {
  return config.smtpUrl === undefined && mayShowInbox(config)
}

/** The same for texts. */
export function phonesAreServed(config: Place & Pick<Config, 'sms'>): boolean {
  return config.sms === undefined && mayShowInbox(config)
}

/**
 * Whether a request names this server. A page elsewhere can point its own name at 127.0.0.1 and
 * read the responses, but it cannot change the Host header. A tunnel to this machine sends its own
 * name.
 */
export function namesThisServer(
  config: Pick<Place, 'baseUrl' | 'appUrl'>,
  request: FastifyRequest,
): boolean {
  const asked = URL.parse(`http://${request.headers.host ?? ''}`)
  if (!asked) return false
  const own = [config.baseUrl, config.appUrl].map((url) => new URL(url).hostname)
  return own.includes(asked.hostname) || isLoopbackUrl(asked.href)
}
