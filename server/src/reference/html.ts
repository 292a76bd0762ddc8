/** Renders the blocks of a page as HTML, without scripts and styles. */
import { type Html, html } from '../lib/text/html.ts'
import {
  anchorOf,
  type Block,
  type Language,
  leavesReference,
  type Page,
  piecesOf,
} from './blocks.ts'

const labels: Record<Language, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  cli: 'Command line',
  sh: 'Shell',
  json: 'JSON',
  http: 'HTTP',
  text: 'Text',
}

/** The address of the page with that path. */
export function addressOf(path: string): string {
  return path === 'index' ? '/docs' : `/docs/${path}`
}

export function htmlOf(page: Page): Html {
  return html`<h1>${page.title}</h1>
<p class="lead">${inline(page.about)}</p>
${page.blocks.map(blockOf)}`
}

function blockOf(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return html`<h2 id="${anchorOf(block.text)}">${block.text}</h2>\n`
    case 'text':
      return html`<p>${inline(block.text)}</p>\n`
    case 'list': {
      const items = block.items.map((item) => html`<li>${inline(item)}</li>`)
      return block.ordered ? html`<ol>${items}</ol>\n` : html`<ul>${items}</ul>\n`
    }
    case 'table':
      return tableOf(block)
    case 'code':
      return html`<figure class="code"><figcaption>${labels[block.language]}</figcaption><pre tabindex="0"><code>${block.code}</code></pre></figure>\n`
  }
}

function tableOf({ head, rows }: Extract<Block, { kind: 'table' }>): Html {
  const line = (cells: readonly string[]) =>
    html`<tr>${cells.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>\n`
  // Wide tables scroll, so they must be focusable by keyboard.
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table: ${head.join(', ')}"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map(line)}</tbody>
</table></div>\n`
}

function inline(text: string): Html[] {
  return piecesOf(text).map((piece) => {
    if (piece.code) return html`<code>${piece.text}</code>`
    if (piece.to === undefined) return html`${piece.text}`
    return html`<a href="${hrefOf(piece.to)}">${piece.text}</a>`
  })
}

function hrefOf(to: string): string {
  if (leavesReference(to)) return to
  const [path = '', anchor] = to.split('#')
  return anchor === undefined ? addressOf(path) : `${addressOf(path)}#${anchor}`
}
