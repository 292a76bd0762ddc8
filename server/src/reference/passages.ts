/** Passages of the guides, for assistants: `meta.find` returns them beside the tools that it finds. */
import type { Operation } from '../core/operation.ts'
import type { Passage } from '../operations/find.ts'
import { sectionsFor } from './ranking.js'
import { bodiesOf, indexOf, longestQuery } from './search.ts'
import { type Shelf, shelvesOf } from './shelves.ts'
import type { Site } from './site.ts'

/** The most passages that one search returns, and the longest (characters). */
export const mostPassages = 3
export const longestPassage = 900

/** A shorter one only introduces what follows. */
const shortestPassage = 80
const mostRanked = 12

/** Reads the guides once; what it returns searches them. */
export function createPassages(
  catalog: readonly Operation[],
  site: Site,
): (query: string) => Passage[] {
  const shelves = guidesIn(shelvesOf(catalog, site))
  const index = indexOf(shelves)
  const bodies = bodiesOf(shelves)
  return (query) =>
    sectionsFor(index, query.slice(0, longestQuery), mostRanked)
      .map((section) => ({ ...section, body: bodies.get(section.url)?.trim() ?? '' }))
      .filter(({ body }) => body.length >= shortestPassage)
      .slice(0, mostPassages)
      .map(({ url, title, heading, body }) => ({
        title: heading === '' ? title : `${title}: ${heading}`,
        text: shortened(body),
        url: `${site.gatewayUrl}${url}`,
      }))
}

/** Without the pages of operations, which the tools are themselves, and of the service's operator. */
function guidesIn(shelves: readonly Shelf[]): Shelf[] {
  const isGuide = ({ path }: { path: string }) =>
    ['guides/', 'help/', 'errors/'].some((folder) => path.startsWith(folder))
  return shelves.map((shelf) => ({
    ...shelf,
    chapters: shelf.chapters.map((chapter) => ({
      ...chapter,
      pages: chapter.pages.filter(isGuide),
    })),
  }))
}

function shortened(text: string): string {
  if (text.length <= longestPassage) return text
  return `${text.slice(0, text.lastIndexOf(' ', longestPassage))} …`
}
