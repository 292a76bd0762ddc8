/**
 * `/tls/ask?domain=`: whether a certificate may be issued for a name. A proxy with on-demand
 * certificates (Caddy) asks before it orders one: 200 for the service's own names and for the
 * tracking names of verified sender domains, 404 for any other.
 */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/errors.ts'
import type { Db } from '../../lib/db/types.ts'
import { isServedName } from '../../sender-domains/senders/own-hosts.ts'

export interface ServedDomainsDeps {
  db: Db
  baseUrl: string
  appUrl: string
  gatewayUrl: string
}

/** Longer names do not exist in DNS. */
const longestName = 253

export function registerServedDomains(app: FastifyInstance, deps: ServedDomainsDeps): void {
  const { db, baseUrl, appUrl, gatewayUrl } = deps
  const own = new Set([baseUrl, appUrl, gatewayUrl].map((url) => new URL(url).hostname))
  app.get('/tls/ask', async (request, reply) => {
    const { domain } = request.query as { domain?: unknown }
    const name = typeof domain === 'string' ? domain.toLowerCase() : ''
    // A request that the proxy forwards from outside is not its own question.
    const isServed =
      !request.isProxied &&
      name.length <= longestName &&
      (own.has(name) || (await isServedName(db, name)))
    if (!isServed) throw refuse('not_found', 'This name is not served here.')
    reply.header('cache-control', 'no-store').type('text/plain')
    return 'served\n'
  })
}
