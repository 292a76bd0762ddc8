/**
 * The web app at `/b/...`: one page for all addresses below it, whose script shows the view that
 * the address names. The script calls the gateway with the session's cookie.
 */

import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { refuse } from '../../../core/errors.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { escapeHtml } from '../../../lib/text/html.ts'
import { requireSession } from '../auth/login.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import type { PageParts } from '../shared/parts.ts'

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
  const metaTags = `<meta name="pictures" content="${escapeHtml(pictures)}" /><meta name="robots"`

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
      const page = app.pageFor(request.url, pageLanguageOf(request))
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          'cache-control': 'no-store',
        })
        .send(page.replace('<meta name="robots"', metaTags))
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

const folder = new URL('../../../../../web/dist/', import.meta.url)

interface AppBuild {
  /**
   * The HTML of the page for an address below `/b`. It is the same everywhere but for hints: the
   * browser asks at once for the files of the view and of the language, which the script would only
   * find when it runs.
   */
  pageFor(path: string, language: MailLanguage): string
  /** Names of files, such as `main-Bx3k.js`. Nothing else is read from the disk. */
  files: ReadonlySet<string>
}

interface ManifestEntry {
  file: string
  css?: string[]
  assets?: string[]
  imports?: string[]
  dynamicImports?: string[]
}

type Manifest = Record<string, ManifestEntry>

/**
 * The output of Vite for `web/`: the page that starts the app, and its files.
 *
 * Undefined where the app was never built, as in a checkout that was not set up.
 */
async function readAppBuild(): Promise<AppBuild | undefined> {
  try {
    const [page, manifest] = await Promise.all([
      readFile(new URL('index.html', folder), 'utf8'),
      readFile(new URL('.vite/manifest.json', folder), 'utf8'),
    ])
    const modules = JSON.parse(manifest) as Manifest
    const entries = Object.values(modules)
    const files = entries.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
    const early = modules['src/early.ts']?.file
    const pageFor = (path: string, language: MailLanguage) => {
      const hints = hintsFor(modules, path, language).filter((file) => !page.includes(file))
      const links = hints.map(
        (file) => `<link rel="modulepreload" crossorigin href="/assets/app/${file}">`,
      )
      // Scripts run in their order, and this one is small.
      return page
        .replace(
          '<script',
          `<script type="module" crossorigin src="/assets/app/${early}"></script>$&`,
        )
        .replace('</head>', `${links.join('\n')}</head>`)
    }
    return { pageFor, files: new Set(files) }
  } catch {
    return undefined
  }
}

/** The scripts of the view at an address, such as `/b/bus_…/contacts`, and of its texts. */
function hintsFor(manifest: Manifest, path: string, language: MailLanguage): string[] {
  const [, , , name = 'home', object] = (path.split('?')[0] ?? '').split('/')
  const view = object === undefined ? name : name.slice(0, -1)
  const texts = `src/words/${language}/`
  const sources = ['index.html', `src/pages/${name}/${view}.tsx`]
  const reachable = new Set(sources.filter((source) => Object.hasOwn(manifest, source)))
  // A set that grows while it is read is read to its new end.
  for (const source of reachable) {
    const { imports = [], dynamicImports = [] } = manifest[source] ?? {}
    const ofLanguage = dynamicImports.filter((other) => other.startsWith(texts))
    for (const other of [...imports, ...ofLanguage]) reachable.add(other)
  }
  return [...reachable].flatMap((source) => manifest[source]?.file ?? [])
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
}

const typeOf = (file: string) =>
  types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

type Encoding = 'br' | 'gzip'

/**
 * How a file is sent to a browser that accepts these encodings: text files have compressed copies
 * beside them, and fonts are compressed already. Brotli makes scripts a seventh smaller than gzip;
 * browsers accept it over HTTPS alone, and on this machine.
 */
function encodingOf(file: string, accepted = ''): Encoding | undefined {
  if (!/\.(?:js|css|svg)$/.test(file)) return undefined
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

const endings = { br: '.br', gzip: '.gz' }

function readAppFile(file: string, encoding: Encoding | undefined): Promise<Buffer> {
  return readFile(new URL(encoding ? file + endings[encoding] : file, folder))
}
