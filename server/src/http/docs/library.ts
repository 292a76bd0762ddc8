/** The reference as documents by path, each rendered at its first request and then cached. */
import type { Operation } from '../../core/operation.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { anchorOf, type Block, type Page } from '../../reference/blocks.ts'
import { ownerGuides } from '../../reference/guides/owner-guides.ts'
import { addressOf, htmlOf } from '../../reference/html.ts'
import { llmsText } from '../../reference/llms.ts'
import { markdownOf } from '../../reference/markdown.ts'
import { openApiDocument } from '../../reference/openapi/document.ts'
import { type Chapter, chaptersOf } from '../../reference/pages/all.ts'
import type { Site } from '../../reference/site.ts'
import { icon } from '../pages/shared/page.ts'
import { docsStylesheetPath, stylesheetPath } from '../pages/shared/stylesheet.ts'

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
  const [guides, ...more] = chaptersOf(catalog, site)
  const owners = { title: 'For owners', pages: ownerGuides() }
  const chapters = [...(guides ? [guides] : []), owners, ...more]
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
  const cache = new Map<string, Document>()
  return {
    find(path) {
      const found = cache.get(path)
      if (found) return found
      const made = makers.get(path)?.()
      if (!made) return undefined
      const document = {
        ...made,
        etag: `"${sha256(made.text).toString('base64url').slice(0, 22)}"`,
      }
      cache.set(path, document)
      return document
    },
  }
}

/** The path of the page's Markdown. */
export function twinOf({ path }: Page): string {
  return `/docs/${path}.md`
}

/** The frame of a reference page: the bar, the list of pages, and the content. */
export function framed(page: Page, chapters: readonly Chapter[]): Html {
  const twin = `/docs/${page.path}.md`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.about.replaceAll('`', '')}">
<title>${page.title} · Crier reference</title>
<link rel="icon" href="${icon}">
<link rel="alternate" type="text/markdown" href="${twin}">
<link rel="stylesheet" href="${stylesheetPath}">
<link rel="stylesheet" href="${docsStylesheetPath}">
</head>
<body class="docs">
<a class="skip" href="#main">Skip to the page</a>
<header><div class="bar">
<a class="brand" href="/docs"><img src="${icon}" alt="" width="18" height="18">Crier reference</a>
<div class="bar-end"><a href="${twin}">Markdown</a><a href="/openapi.json">OpenAPI</a></div>
</div></header>
<div class="docs-columns">
<nav class="contents" aria-label="Reference">
<input type="checkbox" id="contents" class="contents-switch"><label for="contents" class="contents-label">Contents</label>
<div class="contents-list">${chapters.map((chapter) => chapterOf(chapter, page))}</div>
</nav>
<main id="main">
${htmlOf(page)}
</main>
${onThisPage(page)}
</div>
</body>
</html>
`
}

function chapterOf({ title, pages }: Chapter, here: Page): Html {
  return html`<h2 class="chapter">${title}</h2>
<ul class="links">${pages.map((page) => html`<li><a href="${addressOf(page.path)}"${page.path === here.path && html` aria-current="page"`}>${page.title}</a></li>\n`)}</ul>
`
}

function onThisPage({ blocks }: Page): Html | false {
  const headings = blocks.filter((block): block is Heading => block.kind === 'heading')
  if (headings.length < 2) return false
  return html`<nav class="on-this-page" aria-label="On this page"><h2 class="chapter">On this page</h2>
<ul class="links">${headings.map(({ text }) => html`<li><a href="#${anchorOf(text)}">${text}</a></li>`)}</ul></nav>`
}

type Heading = Extract<Block, { kind: 'heading' }>
