/**
 * The web app at `/b/...`: one page for all addresses below it, whose script shows the view that
 * the address names. The script calls the gateway with the session's cookie.
 */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../core/errors.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { escapeHtml } from '../../../lib/text/html.ts'
import { requireSession } from '../auth/login.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import type { PageParts } from '../shared/parts.ts'
import { encodingOf, readAppBuild, readAppFile, typeOf } from './build.ts'

/** Allows only our own scripts, styles and fonts, none of them inline. */
const policyWith = (pictures: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: ${pictures}`,
    "connect-src 'self'",
    // The frame that shows a mail has its own policy and a sandbox without an origin.
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** Lets a mail have its own styles and uploaded pictures, and load nothing from elsewhere. */
const framePolicyWith = (pictures: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data: ${pictures}; form-action 'none'; base-uri 'self'; frame-ancestors 'self'`

export function registerWebApp(scope: FastifyInstance, parts: PageParts): void {
  const build = lazily(readAppBuild)
  const pictures = `${parts.config.baseUrl}/images/`
  const policy = policyWith(pictures)
  const framePolicy = framePolicyWith(pictures)
  // The app and the address of pictures may have different host names.
  const named = `<meta name="pictures" content="${escapeHtml(pictures)}" /><meta name="robots"`

  for (const path of ['/b', '/b/*']) {
    scope.get(path, async (request, reply) => {
      const session = await requireSession(parts, request, reply, request.url)
      if (!session) return reply
      const app = await build.get()
      if (!app) {
        const text =
          'The app is missing from this installation. Its operator has to set it up anew.'
        return sendErrorPage(reply, request, refuse('unavailable', text))
      }
      const page = app.pageFor(request.url, request.headers['accept-language'])
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          'cache-control': 'no-store',
        })
        .send(page.replace('<meta name="robots"', named))
    })
  }

  // An empty page, into which the app writes a mail while it is composed.
  scope.get('/b/mail-frame', async (_request, reply) => {
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': framePolicy,
        'cache-control': 'private, max-age=3600',
      })
      .send('<!doctype html><title></title>')
  })

  scope.get<{ Params: { file: string } }>('/assets/app/:file', async (request, reply) => {
    const { file } = request.params
    const app = await build.get()
    if (!app?.files.has(file)) {
      return sendErrorPage(reply, request, refuse('not_found', 'The app has no such file.'))
    }
    const encoding = encodingOf(file, request.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .headers({
        'content-type': typeOf(file),
        // File names contain a hash of the content.
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      })
      .send(await readAppFile(file, encoding))
  })
}
