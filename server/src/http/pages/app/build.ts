/** The output of Vite for `web/`: the page that starts the app, and its files. */
import { readFile } from 'node:fs/promises'

const folder = new URL('../../../../../web/dist/', import.meta.url)

export interface AppBuild {
  /** The HTML of the page, the same below every address. */
  page: string
  /** Names of files, such as `main-Bx3k.js`. Nothing else is read from the disk. */
  files: ReadonlySet<string>
}

interface ManifestEntry {
  file: string
  css?: string[]
  assets?: string[]
}

/** Undefined where the app was never built, as in a checkout that was not set up. */
export async function readAppBuild(): Promise<AppBuild | undefined> {
  try {
    const [page, manifest] = await Promise.all([
      readFile(new URL('index.html', folder), 'utf8'),
      readFile(new URL('.vite/manifest.json', folder), 'utf8'),
    ])
    const entries = Object.values(JSON.parse(manifest) as Record<string, ManifestEntry>)
    const files = entries.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
    return { page, files: new Set(files) }
  } catch {
    return undefined
  }
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
}

export const typeOf = (file: string) =>
  types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

/** Text files have a compressed copy beside them. Fonts are compressed already. */
export const isCompressed = (file: string) => /\.(?:js|css|svg)$/.test(file)

export function readAppFile(file: string, compressed: boolean): Promise<Buffer> {
  return readFile(new URL(compressed ? `${file}.gz` : file, folder))
}
