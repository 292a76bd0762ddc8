/** The reference as documents by path, each rendered at its first request and then cached. */
import type { Operation } from '../../core/operation.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Page } from '../../reference/blocks.ts'
import { addressOf } from '../../reference/html.ts'
import { llmsText } from '../../reference/llms.ts'
import { markdownOf } from '../../reference/markdown.ts'
import { openApiDocument } from '../../reference/openapi/document.ts'
import { chaptersOf } from '../../reference/pages/all.ts'
import type { Site } from '../../reference/site.ts'
import { framed } from './frame.ts'

export interface Document {
  type: string
  text: string
  etag: string
}

export interface Library {
  /** Finds the document at a path such as `/docs/guides/errors.md`. */
  find(path: string): Document | undefined
}

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

export function createLibrary(catalog: readonly Operation[], site: Site): Library {
  const chapters = chaptersOf(catalog, site)
  const makers = new Map<string, () => Omit<Document, 'etag'>>([
    [
      '/openapi.json',
      () => ({ type: types.json, text: JSON.stringify(openApiDocument(catalog, site)) }),
    ],
    ['/llms.txt', () => ({ type: types.plain, text: llmsText(catalog, site) })],
  ])
  for (const page of chapters.flatMap(({ pages }) => pages)) {
    makers.set(addressOf(page.path), () => ({
      type: types.html,
      text: framed(page, chapters).toString(),
    }))
    makers.set(twinOf(page), () => ({ type: types.markdown, text: markdownOf(page) }))
  }
  const kept = new Map<string, Document>()
  return {
    find(path) {
      const found = kept.get(path)
      if (found) return found
      const made = makers.get(path)?.()
      if (!made) return undefined
      const document = {
        ...made,
        etag: `"${sha256(made.text).toString('base64url').slice(0, 22)}"`,
      }
      kept.set(path, document)
      return document
    },
  }
}

/** The path of the page's Markdown. */
export function twinOf({ path }: Page): string {
  return `/docs/${path}.md`
}
