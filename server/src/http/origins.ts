import type { FastifyInstance } from 'fastify'

/**
 * Decides which pages may call the tool endpoint from a browser. A foreign page that reaches a
 * server on loopback by DNS rebinding still sends its own Origin.
 */
export function createOriginRule(urls: readonly string[]): (origin: string) => boolean {
  const own = new Set(urls.map((url) => new URL(url).origin))
  const local = urls.every((url) => isLoopback(new URL(url).hostname))
  return (origin) => {
    if (own.has(origin)) return true
    const url = URL.parse(origin)
    return local && url !== null && isLoopback(url.hostname)
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

const allowedHeaders = 'Authorization, Content-Type, MCP-Protocol-Version'

/** Opens every route of this scope to all origins, and answers preflight requests for `paths`. */
export function openToAnyOrigin(
  scope: FastifyInstance,
  paths: readonly string[],
  methods: string,
): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', 'Retry-After, X-Request-Id')
    done()
  })
  for (const path of paths) {
    scope.options(path, (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', allowedHeaders)
        .header('access-control-max-age', '86400')
        .send(),
    )
  }
}
