import type { Lazy } from '../../lib/concurrency/lazily.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import { type Clock, seconds } from '../../lib/time/clock.ts'
import type { AskLink, CheckLinks } from './gates/links.ts'
import { createLinkChecks } from './link-checks.ts'

/** Statuses by which a server protects a page, which do not mean that the page is gone. */
const guarded = new Set([401, 403, 405, 406, 429])

const words = {
  forbidden: 'cannot be asked from here',
  dns: 'has a host name that does not exist',
  connection: 'takes no connection',
  tls: 'has no valid certificate',
  protocol: 'does not speak HTTP',
  timeout: 'does not answer',
} as const

export function outboundLinkChecks(outbound: Lazy<Outbound>, clock: Clock): CheckLinks {
  return createLinkChecks({ ask: linkAsker(outbound), clock })
}

/**
 * Requests links through the guard for outbound requests, because strangers may have written the
 * content.
 */
function linkAsker(outbound: Lazy<Outbound>): AskLink {
  return async (url) => {
    const client = await outbound.get()
    const answer = await client.fetch({
      url,
      deadlineMs: seconds(3),
      bodyMs: seconds(1),
      maxBytes: 1,
    })
    if (answer.outcome === 'failed') {
      // The guard allows https only, unless the service itself is on this machine.
      const isPlain = answer.reason === 'forbidden' && url.startsWith('http:')
      return isPlain ? undefined : words[answer.reason]
    }
    return answer.status < 400 || guarded.has(answer.status)
      ? undefined
      : `answers ${answer.status}`
  }
}
