/**
 * Renders the blocks of a page as HTML. Samples of one call stand one below the other until the script of
 * the page makes tabs of them.
 */
import { type Html, html } from '../lib/text/html.ts'
import {
  anchorOf,
  type Block,
  type Code,
  type Language,
  leavesReference,
  type Page,
  type Piece,
  piecesOf,
  sampleLanguages,
} from './blocks.ts'

const labels: Record<Language, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  cli: 'Command line',
  sh: 'Shell',
  json: 'JSON',
  http: 'HTTP',
  text: 'Text',
}

/** The address of the page with that path. */
export function addressOf(path: string): string {
  return addresses[path] ?? `/docs/${path}`
}

/** The paths of pages whose address is another one. */
const addresses: Record<string, string> = { index: '/docs/reference', home: '/docs' }

export function htmlOf(page: Page): Html {
  const anchors = anchorsOf(page)
  return html`<h1>${page.title}</h1>
<p class="lead">${inline(page.about)}</p>
${groupsOf(page.blocks).map((group) => groupOf(group, anchors))}`
}

/** The anchor of each heading; a later one with the same words has a number. */
export function anchorsOf({ blocks }: Page): Map<Block, string> {
  const counts = new Map<string, number>()
  return new Map(
    blocks
      .filter((block) => block.kind === 'heading')
      .map((block) => {
        const anchor = anchorOf(block.text)
        const count = counts.get(anchor) ?? 0
        counts.set(anchor, count + 1)
        return [block, count === 0 ? anchor : `${anchor}-${count}`]
      }),
  )
}

/** Samples of one call, which follow each other, make one group. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (isSample(block) && last?.every((other) => isSample(other, block.language))) last.push(block)
    else groups.push([block])
  }
  return groups
}

/** Whether the block is a sample, in another language than `other`. */
function isSample(block: Block, other?: Language): block is Code {
  return (
    block.kind === 'code' && block.language !== other && sampleLanguages.includes(block.language)
  )
}

function groupOf(group: readonly Block[], anchors: Map<Block, string>): Html {
  const blocks = group.map((block) => blockOf(block, anchors.get(block)))
  return group.length > 1 ? html`<div class="samples">${blocks}</div>\n` : html`${blocks}`
}

function blockOf(block: Block, anchor = ''): Html {
  switch (block.kind) {
    case 'heading':
      return block.within
        ? html`<h3 id="${anchor}">${block.text}</h3>\n`
        : html`<h2 id="${anchor}">${block.text}</h2>\n`
    case 'text':
      return html`<p>${inline(block.text)}</p>\n`
    case 'list': {
      const items = block.items.map((item) => html`<li>${inline(item)}</li>`)
      if (!block.ordered) return html`<ul>${items}</ul>\n`
      return html`<ol${(block.start ?? 1) > 1 && html` start="${block.start ?? 1}"`}>${items}</ol>\n`
    }
    case 'table':
      return tableOf(block)
    case 'code':
      return html`<figure class="code" data-language="${block.language}"><figcaption>${labels[block.language]}</figcaption><pre tabindex="0"><code>${block.code}</code></pre></figure>\n`
    case 'picture':
      return html`<img class="picture" src="/docs/pictures/${block.name}" alt="${block.alt}" loading="lazy">\n`
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
    const markup = pieceOf(piece)
    return piece.bold ? html`<strong>${markup}</strong>` : markup
  })
}

function pieceOf({ text, code, to }: Piece): Html {
  if (code) return html`<code>${text}</code>`
  if (to === undefined) return html`${text}`
  return html`<a href="${hrefOf(to)}">${text}</a>`
}

function hrefOf(to: string): string {
  if (leavesReference(to)) return to
  const [path = '', anchor] = to.split('#')
  return anchor === undefined ? addressOf(path) : `${addressOf(path)}#${anchor}`
}
