/**
 * The guides for owners, `docs/guides`, as pages below `/docs/help`. They are Markdown of ours: lines
 * are read one by one, and what a page of the reference cannot show, such as pictures, is left out.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Block, Language, Page } from '../blocks.ts'

const folder = new URL('../../../../docs/guides/', import.meta.url)

/** None where the service was installed without its documents. */
export function ownerGuides(): Page[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return guideOf(name.slice(0, -'.md'.length), text)
  })
}

const languages: Record<string, Language> = {
  json: 'json',
  ts: 'typescript',
  typescript: 'typescript',
  bash: 'sh',
  sh: 'sh',
  http: 'http',
}

export function guideOf(name: string, markdown: string): Page {
  const blocks: Block[] = []
  let title = name
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const until = (isPart: (text: string) => boolean) => {
      const from = at
      while (at < lines.length && isPart(lines[at] ?? '')) at++
      return lines.slice(from, at)
    }
    if (line.startsWith('# ')) title = line.slice(2)
    if (line.startsWith('#')) {
      const text = line.slice(line.indexOf(' ') + 1)
      if (!line.startsWith('# ')) blocks.push({ kind: 'heading', text: plain(text) })
      at++
    } else if (line.startsWith('```')) {
      const [language = ''] = line.slice(3).split(' ', 1)
      at++
      const code = until((text) => !text.startsWith('```')).join('\n')
      at++
      blocks.push({ kind: 'code', language: languages[language] ?? 'text', code })
    } else if (line.startsWith('|')) {
      const [head = [], , ...rows] = until((text) => text.startsWith('|')).map(cellsOf)
      blocks.push({ kind: 'table', head, rows })
    } else if (markerOf(line) > 0) {
      const ordered = !line.startsWith('-') && !line.startsWith('*')
      const items: string[] = []
      for (const text of until((part) => markerOf(part) > 0 || part.startsWith(' '))) {
        const marker = markerOf(text)
        if (marker > 0) items.push(text.slice(marker))
        else items.push(`${items.pop() ?? ''} ${text.trim()}`)
      }
      blocks.push({ kind: 'list', ordered, items: items.map(plain) })
    } else if (line.trim() === '') at++
    else {
      const text = until((part) => part.trim() !== '' && !isStart(part)).join(' ')
      if (text === '') at++
      else if (!text.startsWith('![')) blocks.push({ kind: 'text', text: plain(text) })
    }
  }
  const first = blocks[0]?.kind === 'text' ? blocks[0] : undefined
  const rest = first ? blocks.slice(1) : blocks
  return { path: `help/${name}`, title: plain(title), about: first?.text ?? '', blocks: rest }
}

const isStart = (line: string) =>
  line.startsWith('#') || line.startsWith('```') || line.startsWith('|') || markerOf(line) > 0

/** The length of the mark before an item of a list, such as `- ` or `12. `; zero if there is none. */
function markerOf(line: string): number {
  if (line.startsWith('- ') || line.startsWith('* ')) return 2
  const dot = line.indexOf('. ')
  const isNumber = dot > 0 && dot < 3 && Number.isInteger(Number(line.slice(0, dot)))
  return isNumber ? dot + 2 : 0
}

const cellsOf = (line: string) =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => plain(cell.trim()))

/** Without what marks bold words, and with links that lead to pages of the service. */
function plain(text: string): string {
  let read = ''
  let rest = text.replaceAll('**', '')
  for (;;) {
    const middle = rest.indexOf('](')
    const begin = rest.lastIndexOf('[', middle)
    const end = rest.indexOf(')', middle)
    if (middle < 0 || begin < 0 || end < 0) return read + rest
    const label = rest.slice(begin + 1, middle)
    const to = pageOf(rest.slice(middle + 2, end))
    read += rest.slice(0, begin) + (to === undefined ? label : `[${label}](${to})`)
    rest = rest.slice(end + 1)
  }
}

/** `forms.md#share` is `help/forms#share`; what the service does not serve has no page. */
function pageOf(link: string): string | undefined {
  if (link.startsWith('https://') || link.startsWith('http://') || link.startsWith('/')) return link
  const [file = '', anchor] = link.split('#')
  const page = file.endsWith('.md') ? file.slice(0, -'.md'.length) : undefined
  if (page === undefined) return undefined
  const path = page.startsWith('../reference/')
    ? page.slice('../reference/'.length)
    : page.includes('/')
      ? undefined
      : `help/${page}`
  if (path === undefined) return undefined
  return anchor === undefined ? path : `${path}#${anchor}`
}
