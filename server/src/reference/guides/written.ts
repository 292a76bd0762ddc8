/**
 * The pages that are written by hand as Markdown: `docs/guides` below `/docs/help`, `docs/operate` below
 * `/docs/operate`, and the changelog. They are ours, and their lines are read one by one. What has no page
 * here, such as a file of the repository, is shown as text.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Operation } from '../../core/operation.ts'
import type { Block, Language, Page } from '../blocks.ts'
import { inEachLanguage } from '../samples/from-curl.ts'
import { freshSite, type Site } from '../site.ts'

const repository = new URL('../../../../', import.meta.url)

/** None where the service was installed without its documents. */
export function writtenPages(catalog: readonly Operation[], site: Site): Page[] {
  return ['docs/guides', 'docs/operate']
    .flatMap((folder) => markdownIn(folder))
    .concat('CHANGELOG.md')
    .flatMap((file) => {
      const url = new URL(file, repository)
      return existsSync(url) ? [writtenPage(file, readFileSync(url, 'utf8'))] : []
    })
    .map((page) => (page.path.startsWith('help/') ? calling(page, catalog, site) : page))
}

/** What a guide has its reader run calls the service that shows it, in the language of their choice. */
function calling(page: Page, catalog: readonly Operation[], site: Site): Page {
  const blocks = page.blocks.flatMap((block, at): readonly Block[] => {
    if (block.kind !== 'code') return [block]
    const code = block.code.replaceAll(freshSite.appUrl, site.appUrl)
    const next = page.blocks[at + 1]
    // Where the guide has the other languages itself, they follow.
    const isFollowed = next?.kind === 'code' && next.language === 'typescript'
    return block.language === 'curl' && !isFollowed
      ? inEachLanguage(code, site, catalog)
      : [{ ...block, code }]
  })
  return { ...page, blocks }
}

function markdownIn(folder: string): string[] {
  const url = new URL(`${folder}/`, repository)
  if (!existsSync(url)) return []
  const names = readdirSync(url).filter((name) => name.endsWith('.md'))
  return names.toSorted().map((name) => `${folder}/${name}`)
}

/** The path of the page that shows a file of the repository; undefined if none does. */
function pageOfFile(file: string): string | undefined {
  if (file === 'CHANGELOG.md') return 'changelog'
  if (file === 'docs/operate/README.md' || file === 'docs/operate') return 'operate'
  const [, folder, name] = /^docs\/(guides|operate|reference)\/(.+)\.md$/.exec(file) ?? []
  if (name === undefined) return undefined
  if (folder === 'reference') return name
  return folder === 'guides' ? `help/${name}` : `operate/${name}`
}

const languages: Record<string, Language> = {
  json: 'json',
  ts: 'typescript',
  typescript: 'typescript',
  python: 'python',
  php: 'php',
  bash: 'sh',
  sh: 'sh',
  http: 'http',
}

/** Begins a comment with other words by which the page is looked for. */
const searchMark = '<!-- search:'

/** `file` is a path in the repository, such as `docs/guides/forms.md`. */
export function writtenPage(file: string, markdown: string): Page {
  const plain = (text: string) => shown(text, path.posix.dirname(file))
  const blocks: Block[] = []
  let title = path.posix.basename(file, '.md')
  let keywords = ''
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const until = (isPart: (text: string) => boolean) => {
      const from = at
      while (at < lines.length && isPart(lines[at] ?? '')) at++
      return lines.slice(from, at)
    }
    if (line.startsWith('# ')) title = line.slice(2)
    if (line.startsWith(searchMark)) {
      keywords = line.slice(searchMark.length, line.indexOf('-->')).trim()
      at++
      continue
    }
    if (line.startsWith('#')) {
      const text = plain(line.slice(line.indexOf(' ') + 1).replaceAll('**', ''))
      if (line.startsWith('## ')) blocks.push({ kind: 'heading', text })
      else if (!line.startsWith('# ')) blocks.push({ kind: 'heading', text, within: true })
      at++
    } else if (isFence(line)) {
      const indent = line.indexOf('`')
      const [language = '', ...note] = line.slice(indent + 3).split(' ')
      at++
      const code = until((text) => !isFence(text)).map((text) => text.slice(indent))
      at++
      const text = code.join('\n')
      // What no test runs stays as it is written.
      const program = language === 'bash' && note.length === 0 ? programOf(text) : undefined
      blocks.push({ kind: 'code', language: program ?? languages[language] ?? 'text', code: text })
    } else if (line.startsWith('|')) {
      const [head = [], , ...rows] = until((text) => text.startsWith('|')).map((row) =>
        cellsOf(row).map(plain),
      )
      blocks.push({ kind: 'table', head, rows })
    } else if (markerOf(line) > 0) {
      const ordered = !line.startsWith('-') && !line.startsWith('*')
      // Code between two items makes two lists of them.
      const start = ordered ? Number(line.slice(0, line.indexOf('.'))) : 1
      const items: string[] = []
      for (const text of until(isOfList)) {
        const marker = markerOf(text)
        if (marker > 0) items.push(text.slice(marker))
        else items.push(`${items.pop() ?? ''} ${text.trim()}`)
      }
      blocks.push({ kind: 'list', ordered, start, items: items.map(plain) })
    } else if (line.trim() === '') at++
    else {
      const text = until((part) => part.trim() !== '' && !isStart(part)).join(' ')
      if (text === '') at++
      else blocks.push(pictureIn(text) ?? { kind: 'text', text: plain(text) })
    }
  }
  const first = blocks[0]?.kind === 'text' ? blocks[0] : undefined
  const rest = first ? blocks.slice(1) : blocks
  return {
    path: pageOfFile(file) ?? title,
    title: plain(title),
    about: first?.text ?? '',
    keywords,
    blocks: rest,
  }
}

/** What the commands of a block call the service with. */
const programOf = (shell: string) =>
  (['curl', 'cli'] as const).find((program) => {
    const word = program === 'cli' ? 'crier' : program
    return shell.startsWith(`${word} `) || shell.includes(`=$(${word} `)
  })

const isFence = (line: string) => line.trimStart().startsWith('```')

const isOfList = (line: string) => (markerOf(line) > 0 || line.startsWith(' ')) && !isFence(line)

const isStart = (line: string) =>
  line.startsWith('#') || isFence(line) || line.startsWith('|') || markerOf(line) > 0

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
    .map((cell) => cell.trim())

/** `![What it shows](../pictures/gallery.png)` alone in its paragraph. */
function pictureIn(text: string): Block | undefined {
  const [, alt = '', name] = /^!\[([^\]]+)\]\(\.\.\/pictures\/([a-z0-9-]+\.png)\)$/.exec(text) ?? []
  return name === undefined ? undefined : { kind: 'picture', name, alt }
}

/** With links that lead to pages of the service, whose labels are never bold in part. */
function shown(text: string, folder: string): string {
  let read = ''
  let rest = text
  for (;;) {
    const middle = rest.indexOf('](')
    const begin = rest.lastIndexOf('[', middle)
    const end = rest.indexOf(')', middle)
    if (middle < 0 || begin < 0 || end < 0) return read + rest
    const label = rest.slice(begin + 1, middle).replaceAll('**', '')
    const to = targetOf(rest.slice(middle + 2, end), folder)
    read += rest.slice(0, begin) + (to === undefined ? label : `[${label}](${to})`)
    rest = rest.slice(end + 1)
  }
}

/** `forms.md#share` is `help/forms#share`; what the service does not serve has no page. */
function targetOf(link: string, folder: string): string | undefined {
  if (/^(?:https?:\/\/|\/|#)/.test(link)) return link
  const [file = '', anchor] = link.split('#')
  const page = pageOfFile(path.posix.join(folder, file))
  if (page === undefined || anchor === undefined) return page
  return `${page}#${anchor}`
}
