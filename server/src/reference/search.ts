/**
 * The search of the documentation. Its index is made of sections, each from a heading to the next, and is
 * the same for the page that answers without a script and for the script, which loads it as JSON.
 */
import MiniSearch from 'minisearch'
import { type Block, type Page, piecesOf } from './blocks.ts'
import { addressOf, anchorsOf } from './html.ts'
import { type Hit, hitsOf, indexOptions, type Section } from './ranking.js'
import type { Shelf } from './shelves.ts'

/** The most results that are shown, and the longest query (characters). */
export const mostHits = 12
export const longestQuery = 200

export type DocsIndex = MiniSearch<Section>

export function indexOf(shelves: readonly Shelf[]): DocsIndex {
  const index = new MiniSearch<Section>(indexOptions)
  index.addAll(allSections(shelves))
  return index
}

/** The words of each section, by its address. */
export function bodiesOf(shelves: readonly Shelf[]): Map<string, string> {
  return new Map(allSections(shelves).map(({ id, body }) => [id, body]))
}

function allSections(shelves: readonly Shelf[]): Section[] {
  const seen = new Set<string>()
  const sections: Section[] = []
  for (const { title: shelf, chapters } of shelves) {
    for (const page of chapters.flatMap(({ pages }) => pages)) {
      if (seen.has(page.path)) continue
      seen.add(page.path)
      sections.push(...sectionsOf(page, shelf))
    }
  }
  return sections
}

export function search(index: DocsIndex, query: string): Hit[] {
  return hitsOf(index, query.slice(0, longestQuery), mostHits)
}

/** Guides explain what an operation only lists, and the changelog is read by whoever looks for it. */
function weightOf({ path }: Page): number {
  if (path === 'changelog') return 0.4
  return /^(?:guides|help|operate)/.test(path) ? 1.6 : 1
}

function sectionsOf(page: Page, shelf: string): Section[] {
  const address = addressOf(page.path)
  const anchors = anchorsOf(page)
  const about = plainText(page.about)
  const common = { page: address, title: page.title, shelf, weight: weightOf(page) }
  const first = {
    ...common,
    id: address,
    heading: '',
    about,
    keywords: page.keywords ?? '',
    body: '',
  }
  const sections: Section[] = [first]
  for (const block of page.blocks) {
    const anchor = anchors.get(block)
    if (block.kind === 'heading' && anchor !== undefined) {
      const id = `${address}#${anchor}`
      sections.push({ ...common, id, heading: block.text, about: '', keywords: '', body: '' })
      continue
    }
    const section = sections.at(-1) ?? first
    section.body += ` ${wordsOf(block)}`
  }
  return sections.map((section) => ({
    ...section,
    about: section.about || excerptOf(section.body),
  }))
}

/** Code is left out: its words are those of every other call. */
function wordsOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return plainText(block.text)
    case 'list':
      return block.items.map(plainText).join(' ')
    case 'table':
      return [block.head, ...block.rows].flat().map(plainText).join(' ')
    default:
      return ''
  }
}

const plainText = (text: string) =>
  piecesOf(text)
    .map((piece) => piece.text)
    .join('')

/** The beginning of a text, to the end of a word. */
function excerptOf(text: string): string {
  const words = text.trim()
  if (words.length <= 160) return words
  return `${words.slice(0, words.lastIndexOf(' ', 160))} …`
}
