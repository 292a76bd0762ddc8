/** The documentation as files by path, each rendered at its first request and then cached. */
import { existsSync, readFileSync } from 'node:fs'
import type { Operation } from '../../core/operation.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Page } from '../../reference/blocks.ts'
import { feedOf } from '../../reference/changelog-feed.ts'
import { addressOf } from '../../reference/html.ts'
import { llmsText } from '../../reference/llms.ts'
import { markdownOf } from '../../reference/markdown.ts'
import { openApiDocument } from '../../reference/openapi/document.ts'
import { type DocsIndex, indexOf, search } from '../../reference/search.ts'
import { shelvesOf } from '../../reference/shelves.ts'
import type { Site } from '../../reference/site.ts'
import { framed, landing, resultsPage } from './frame.ts'

export interface Document {
  type: string
  body: string | Buffer
  etag: string
}

export interface Library {
  /** Finds the document at a path such as `/docs/guides/errors.md`. */
  find(path: string): Document | undefined
  /** The page with what was found, for browsers without a script. */
  search(query: string): string
  /** The paths of all documents, for the static site. */
  paths(): string[]
}

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  png: 'image/png',
}

const pictures = new URL('../../../../docs/pictures/', import.meta.url)

export function createLibrary(catalog: readonly Operation[], site: Site): Library {
  const shelves = shelvesOf(catalog, site)
  let built: DocsIndex | undefined
  const index = () => (built ??= indexOf(shelves))
  const makers = new Map<string, () => Omit<Document, 'etag'>>([
    [
      '/openapi.json',
      () => ({ type: types.json, body: JSON.stringify(openApiDocument(catalog, site)) }),
    ],
    ['/llms.txt', () => ({ type: types.plain, body: llmsText(catalog, site) })],
    ['/docs', () => ({ type: types.html, body: landing(shelves).toString() })],
    ['/docs/search.json', () => ({ type: types.json, body: JSON.stringify(index()) })],
  ])
  for (const shelf of shelves) {
    for (const page of shelf.chapters.flatMap(({ pages }) => pages)) {
      if (makers.has(addressOf(page.path))) continue
      makers.set(addressOf(page.path), () => ({
        type: types.html,
        body: framed(page, shelf, shelves).toString(),
      }))
      makers.set(twinOf(page), () => ({ type: types.markdown, body: markdownOf(page) }))
      if (page.path === 'changelog') {
        makers.set('/docs/changelog.xml', () => ({ type: types.rss, body: feedOf(page, site) }))
      }
      for (const name of picturesOf(page)) {
        makers.set(`/docs/pictures/${name}`, () => ({
          type: types.png,
          body: readFileSync(new URL(name, pictures)),
        }))
      }
    }
  }
  const cache = new Map<string, Document>()
  return {
    find(path) {
      const cached = cache.get(path)
      if (cached) return cached
      const source = makers.get(path)?.()
      if (!source) return undefined
      const document = {
        ...source,
        etag: `"${sha256(source.body).toString('base64url').slice(0, 22)}"`,
      }
      cache.set(path, document)
      return document
    },
    search: (query) => resultsPage(query, search(index(), query), shelves).toString(),
    paths: () => [...makers.keys()],
  }
}

/** The path of the page's Markdown. */
export function twinOf({ path }: Page): string {
  return `/docs/${path}.md`
}

/** The pictures of a page that are there. */
function picturesOf({ blocks }: Page): string[] {
  return blocks
    .flatMap((block) => (block.kind === 'picture' ? [block.name] : []))
    .filter((name) => existsSync(new URL(name, pictures)))
}
