/** Which redirect URIs are allowed at all, and when two of them are equal. */

export const redirectLimit = 2000

// Schemes whose URIs a browser runs, or reads from disk, instead of passing them to a program.
const forbidden = /^(javascript|data|vbscript|file|blob|about|filesystem|view-source):/i
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/

/** Why a URI can never be a redirect URI, in words for its owner. Undefined if it can. */
export function redirectFault(uri: string): string | undefined {
  if (uri.length > redirectLimit) return `is longer than ${redirectLimit} characters`
  // RFC 3986 allows no other characters. Browsers treat a backslash as a slash.
  if (!/^[\x21-\x7e]*$/.test(uri) || /["<>\\^`{|}]/.test(uri)) {
    return 'holds characters that a URI cannot hold'
  }
  // RFC 6749 section 3.1.2: the URI must be absolute and have no fragment.
  if (uri.includes('#')) return 'has a fragment'
  if (!/^[a-z][a-z0-9+.-]*:\//i.test(uri) || !URL.canParse(uri)) return 'is not an absolute URI'
  if (forbidden.test(uri)) return 'has a scheme that cannot receive a redirect'
  if (/^[^:]+:\/\/[^/?]*@/.test(uri)) return 'holds a user name'
  if (/^https?:/i.test(uri) && !/^https?:\/\/[^/?]/i.test(uri)) return 'names no host'
  if (/^http:/i.test(uri) && !isLoopback(uri)) return 'is http on a host that is not loopback'
  return undefined
}

/** http on the same machine, RFC 8252 section 7.3: any port, any path. */
export function isLoopback(uri: string): boolean {
  return loopback.test(uri) && URL.canParse(uri)
}

/**
 * Whether the request's URI is one that the client registered. It must be exactly equal, except for
 * the port of a loopback URI, which a native client learns only when it starts.
 */
export function sameRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true
  if (!isLoopback(registered) || !isLoopback(requested)) return false
  return registered.replace(loopback, 'http://$1') === requested.replace(loopback, 'http://$1')
}

/** The part to show to a person: the host, or the scheme of an app's own URI. */
export function redirectHost(uri: string): string {
  const url = new URL(uri)
  return url.hostname || url.protocol.slice(0, -1)
}

/** `uri` with parameters added to its existing query, RFC 6749 section 4.1.2. */
export function withParameters(uri: string, parameters: Record<string, string>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
}
