/** Tags in one cell, separated by commas. Tags that contain a comma or a quote are quoted. */

export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => (/[",]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ')
}

export function splitTags(cell: string): string[] {
  const tags: string[] = []
  let at = 0
  while (at < cell.length) {
    const start = skipSpaces(cell, at)
    const { text, end } = cell[start] === '"' ? readQuoted(cell, start + 1) : readPlain(cell, start)
    const tag = text.trim()
    if (tag !== '') tags.push(tag)
    at = end + 1
  }
  return tags
}

function skipSpaces(cell: string, from: number): number {
  let at = from
  while (cell[at] === ' ') at++
  return at
}

function readPlain(cell: string, from: number): { text: string; end: number } {
  const comma = cell.indexOf(',', from)
  const end = comma === -1 ? cell.length : comma
  return { text: cell.slice(from, end), end }
}

function readQuoted(cell: string, from: number): { text: string; end: number } {
  let text = ''
  let at = from
  while (at < cell.length) {
    const quote = cell.indexOf('"', at)
    if (quote === -1) return { text: text + cell.slice(at), end: cell.length }
    text += cell.slice(at, quote)
    at = quote + 1
    if (cell[at] !== '"') break
    text += '"'
    at++
  }
  const rest = readPlain(cell, at)
  return { text: text + rest.text, end: rest.end }
}
