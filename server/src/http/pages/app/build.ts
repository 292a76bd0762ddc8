/** The output of Vite for `web/`: the page that starts the app, and its files. */
import { readFile } from 'node:fs/promises'

const folder = new URL('../../../../../web/dist/', import.meta.url)

export interface AppBuild {
  /**
   * The HTML of the page for an address below `/b`. It is the same everywhere but for hints: the
   * browser asks at once for the files of the view and of the language, which the script would only
   * find when it runs.
   */
  pageFor(path: string, language: string | undefined): string
  /** Names of files, such as `main-Bx3k.js`. Nothing else is read from the disk. */
  files: ReadonlySet<string>
}

interface ManifestEntry {
  file: string
  css?: string[]
  assets?: string[]
  imports?: string[]
}

type Manifest = Record<string, ManifestEntry>

/** Undefined where the app was never built, as in a checkout that was not set up. */
export async function readAppBuild(): Promise<AppBuild | undefined> {
  try {
    const [page, manifest] = await Promise.all([
      readFile(new URL('index.html', folder), 'utf8'),
      readFile(new URL('.vite/manifest.json', folder), 'utf8'),
    ])
    const known = JSON.parse(manifest) as Manifest
    const entries = Object.values(known)
    const files = entries.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
    const early = known['src/early.ts']?.file
    const pageFor = (path: string, language = '') => {
      const hints = hintsFor(known, path, language).filter((file) => !page.includes(file))
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

/** The scripts of the view at an address, such as `/b/bus_…/contacts`, and of the words. */
function hintsFor(manifest: Manifest, path: string, language: string): string[] {
  const [, , , name = 'home', object] = (path.split('?')[0] ?? '').split('/')
  const view = object === undefined ? name : name.slice(0, -1)
  const words = language.startsWith('de') ? 'de' : 'en'
  const sources = [`src/pages/${name}/${view}.tsx`, `src/words/${words}/${words}.ts`]
  const found = new Set(sources.filter((source) => Object.hasOwn(manifest, source)))
  // A set that grows while it is read is read to its new end.
  for (const source of found) {
    for (const one of manifest[source]?.imports ?? []) found.add(one)
  }
  return [...found].flatMap((source) => manifest[source]?.file ?? [])
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
}

export const typeOf = (file: string) =>
  types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

export type Encoding = 'br' | 'gzip'

/**
 * How a file is sent to a browser that accepts these encodings: text files have compressed copies
 * beside them, and fonts are compressed already. Brotli makes scripts a seventh smaller than gzip;
 * browsers accept it over HTTPS alone, and on this machine.
 */
export function encodingOf(file: string, accepted = ''): Encoding | undefined {
  if (!/\.(?:js|css|svg)$/.test(file)) return undefined
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

const endings = { br: '.br', gzip: '.gz' }

export function readAppFile(file: string, encoding: Encoding | undefined): Promise<Buffer> {
  return readFile(new URL(encoding ? file + endings[encoding] : file, folder))
}
