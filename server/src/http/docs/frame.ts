/** What surrounds the content of a page: the bar with the search, the list of pages, what is on the page. */
import { type Html, html } from '../../lib/text/html.ts'
import type { Heading, Page } from '../../reference/blocks.ts'
import { addressOf, anchorsOf, htmlOf } from '../../reference/html.ts'
import type { Chapter } from '../../reference/pages/all.ts'
import type { Hit } from '../../reference/ranking.js'
import { longestQuery } from '../../reference/search.ts'
import type { Shelf } from '../../reference/shelves.ts'
import { icon } from '../pages/shared/page.ts'
import { docsStylesheetPath, stylesheetPath } from '../pages/shared/stylesheet.ts'
import { docsScriptPath } from './script.ts'

/** A page on its shelf. */
export function framed(page: Page, shelf: Shelf, shelves: readonly Shelf[]): Html {
  const twin = `/docs/${page.path}.md`
  const content = html`<div class="docs-columns">
<nav class="contents" aria-label="${shelf.title}">
<input type="checkbox" id="contents" class="contents-switch"><label for="contents" class="contents-label">Contents</label>
<div class="contents-list">${shelf.chapters.map((chapter) => chapterOf(chapter, page))}</div>
</nav>
<main id="main">
${htmlOf(page)}
</main>
${onThisPage(page)}
</div>`
  return frame({ title: page.title, about: page.about, shelf, shelves, twin, content })
}

/** The first page: a door for each kind of reader. */
export function landing(shelves: readonly Shelf[]): Html {
  const about = 'Guides and reference of this Crier, for those who use, build on and run it.'
  const doors = shelves.map(
    (shelf) => html`<li class="door"><h2><a href="${firstOf(shelf)}">${shelf.title}</a></h2>
<p>${shelf.about}</p>
<ul class="links">${mostRead(shelf).map((page) => html`<li><a href="${addressOf(page.path)}">${page.title}</a></li>`)}</ul></li>
`,
  )
  const content = html`<main id="main" class="docs-landing">
<h1>Documentation</h1>
<p class="lead">${about}</p>
<ul class="doors">${doors}</ul>
</main>`
  return frame({ title: 'Documentation', about, shelves, twin: '/llms.txt', content })
}

/** What was found, for browsers without a script. */
export function resultsPage(query: string, hits: readonly Hit[], shelves: readonly Shelf[]): Html {
  const items = hits.map(
    ({
      url,
      title,
      heading,
      about,
      shelf,
    }) => html`<li><a href="${url}">${title}${heading !== '' && html` › ${heading}`}</a>
<p>${about}</p><p class="small">${shelf}</p></li>
`,
  )
  const content = html`<main id="main" class="docs-landing">
<h1>Search</h1>
${hits.length > 0 ? html`<ol class="found">${items}</ol>` : html`<p>Nothing matches “${query}”. Try fewer or other words.</p>`}
</main>`
  return frame({ title: 'Search', about: 'Search', query, shelves, twin: '/llms.txt', content })
}

interface Frame {
  title: string
  about: string
  /** The shelf of the page; the first page and the search have none. */
  shelf?: Shelf
  shelves: readonly Shelf[]
  query?: string
  /** The address of the same in plain text. */
  twin: string
  content: Html
}

function frame({ title, about, shelf, shelves, query, twin, content }: Frame): Html {
  const onShelf = ({ title }: Shelf) => title === shelf?.title && html` aria-current="true"`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${about.replaceAll('`', '').replaceAll('**', '')}">
<title>${title} · Crier documentation</title>
<link rel="icon" href="${icon}">
<link rel="alternate" type="text/markdown" href="${twin}">
<link rel="alternate" type="application/rss+xml" title="Changelog" href="/docs/changelog.xml">
<link rel="stylesheet" href="${stylesheetPath}">
<link rel="stylesheet" href="${docsStylesheetPath}">
<script src="${docsScriptPath}" defer></script>
</head>
<body class="docs">
<a class="skip" href="#main">Skip to the page</a>
<header><div class="bar">
<a class="brand" href="/docs"><img src="${icon}" alt="" width="18" height="18">Crier docs</a>
<nav class="shelves" aria-label="Documentation">${shelves.map((entry) => html`<a href="${firstOf(entry)}"${onShelf(entry)}>${entry.title}</a>`)}</nav>
<form class="docs-search" role="search" action="/docs/search"><input type="search" name="q" value="${query ?? ''}" maxlength="${longestQuery}" placeholder="Search" aria-label="Search the documentation" autocomplete="off"></form>
<div class="bar-end"><a href="${twin}">Markdown</a><a href="/openapi.json">OpenAPI</a></div>
</div></header>
${content}
</body>
</html>
`
}

function firstOf({ chapters }: Shelf): string {
  return addressOf(chapters[0]?.pages[0]?.path ?? 'index')
}

/** The pages of a shelf that the first page shows. */
function mostRead({ chapters }: Shelf): Page[] {
  return (chapters[0]?.pages ?? []).slice(0, 5)
}

function chapterOf({ title, pages }: Chapter, here: Page): Html {
  return html`<h2 class="chapter">${title}</h2>
<ul class="links">${pages.map((page) => html`<li><a href="${addressOf(page.path)}"${page.path === here.path && html` aria-current="page"`}>${page.title}</a></li>\n`)}</ul>
`
}

function onThisPage(page: Page): Html | false {
  const anchors = anchorsOf(page)
  const headings = page.blocks.filter(
    (block): block is Heading => block.kind === 'heading' && !block.within,
  )
  if (headings.length < 2) return false
  return html`<nav class="on-this-page" aria-label="On this page"><h2 class="chapter">On this page</h2>
<ul class="links">${headings.map((heading) => html`<li><a href="#${anchors.get(heading) ?? ''}">${heading.text}</a></li>`)}</ul></nav>`
}
