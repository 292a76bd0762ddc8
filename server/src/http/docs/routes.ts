/**
 * The documentation, open to everyone: `/docs` with a Markdown twin of each page and a search,
 * `/openapi.json`, `/llms.txt`, and the packages that its pages name.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Site } from '../../reference/site.ts'
import { openToAnyOrigin } from '../origins.ts'
import { registerPackages } from '../packages/routes.ts'
import { sendErrorPage, wantsPage } from '../pages/shared/error-page.ts'
import { registerDocsScript } from './script.ts'

export interface DocsDeps {
  db: Db
  clock: Clock
  catalog: readonly Operation[]
  site: Site
}

/** Allows the script of the documentation, its search, and nothing from other sites. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Short, so that a new release is seen soon. In between the ETag saves the bytes. */
const maxAge = 300

/** The least size that is sent in gzip: the description of the API and the index of the search. */
const leastPacked = 100_000

const compress = promisify(gzip)

export function registerDocs(app: FastifyInstance, deps: DocsDeps): void {
  const { catalog, site } = deps
  const library = lazily(async () => {
    // Loaded at the first request, because most processes never get one.
    const { createLibrary } = await import('./library.ts')
    return createLibrary(catalog, site)
  })
  const packed = new Map<string, Buffer>()
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1)
    const page = (await library.get()).find(path.replace(/\/$/, ''))
    if (!page) {
      const refusal = refuse('not_found', 'The reference has no such page. Start at /docs.')
      if (wantsPage(request)) return sendErrorPage(reply, request, refusal)
      throw refusal
    }
    const { type, body } = page
    const isPacked =
      body.length >= leastPacked && String(request.headers['accept-encoding']).includes('gzip')
    const etag = isPacked ? `${page.etag.slice(0, -1)}-gzip"` : page.etag
    reply.headers({
      etag,
      vary: 'accept-encoding',
      'cache-control': `public, max-age=${maxAge}`,
      'content-security-policy': policy,
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    if (!isPacked) return reply.type(type).send(body)
    const bytes = packed.get(page.etag) ?? (await compress(body))
    packed.set(page.etag, bytes)
    return reply.type(type).header('content-encoding', 'gzip').send(bytes)
  }
  registerPackages(app, deps)
  app.register(async (scope) => {
    const paths = ['/openapi.json', '/llms.txt', '/docs', '/docs/*']
    openToAnyOrigin(scope, paths, 'GET')
    for (const path of paths) scope.get(path, serve)
    scope.get<{ Querystring: { q?: string } }>('/docs/search', async (request, reply) => {
      const { q } = request.query
      const page = (await library.get()).search(typeof q === 'string' ? q : '')
      return reply
        .header('content-security-policy', policy)
        .type('text/html; charset=utf-8')
        .send(page)
    })
    registerDocsScript(scope)
  })
}
