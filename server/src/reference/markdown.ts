/** Renders a page as Markdown, for the repository and for assistants. */
import path from 'node:path'
import {
  type Block,
  type Language,
  leavesReference,
  type Page,
  type Piece,
  piecesOf,
} from './blocks.ts'

const fences: Partial<Record<Language, string>> = { curl: 'sh', cli: 'sh', typescript: 'ts' }

export function markdownOf(page: Page): string {
  const inline = (text: string) => withLinks(text, page.path)
  const blocks = page.blocks.map((block) => blockOf(block, inline))
  return `${[`# ${page.title}`, inline(page.about), ...blocks].join('\n\n')}\n`
}

function blockOf(block: Block, inline: (text: string) => string): string {
  switch (block.kind) {
    case 'heading':
      return `${block.within ? '###' : '##'} ${block.text}`
    case 'text':
      return inline(block.text)
    case 'list': {
      const sign = (i: number) => (block.ordered ? `${i + (block.start ?? 1)}.` : '-')
      return block.items.map((item, i) => `${sign(i)} ${inline(item)}`).join('\n')
    }
    case 'table': {
      const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`
      const inCell = (cell: string) => inline(cell).replaceAll('|', '\\|')
      const rule = `|${block.head.map(() => '---').join('|')}|`
      return [line(block.head), rule, ...block.rows.map(line)].join('\n')
    }
    case 'code':
      return `\`\`\`${fences[block.language] ?? block.language}\n${block.code}\n\`\`\``
    case 'picture':
      return `![${block.alt}](/docs/pictures/${block.name})`
  }
}

/** Links to other pages become relative, so that they also work in a checkout. */
function withLinks(text: string, from: string): string {
  return (
    piecesOf(text)
      .map((piece) => {
        const markup = markdownPiece(piece, from)
        return piece.bold ? `**${markup}**` : markup
      })
      .join('')
      // Between two pieces that are bold together.
      .replaceAll('****', '')
  )
}

function markdownPiece(piece: Piece, from: string): string {
  if (piece.code) return `\`${piece.text}\``
  if (piece.to === undefined) return piece.text
  if (leavesReference(piece.to)) return `[${piece.text}](${piece.to})`
  const [to = '', anchor] = piece.to.split('#')
  const file = `${path.posix.relative(path.posix.dirname(from), to)}.md`
  return `[${piece.text}](${anchor === undefined ? file : `${file}#${anchor}`})`
}
