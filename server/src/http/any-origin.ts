/** CORS for routes that use neither cookies nor secrets of the browser: any page may call them. */
import type { FastifyInstance } from 'fastify'

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
