/** Replaces links by tracked links. */

import { type FoundLink, findLinks, findTextLinks } from '../lib/email/find-links.ts'
import { type Content, textOf } from '../lib/email/quoted-printable.ts'
import { escapeHtml } from '../lib/text/html.ts'
import { type Link, linkLimits, linkTo } from './link.ts'
import type { TagLink } from './link-tags.ts'
import { type Part, spliced } from './splice.ts'

export interface Marked<Page = string> {
  links: readonly Link[]
  /** Writes the text with a tracked URL in place of each tracked link. */
  write(urlOf: (link: Link) => string): Page
}

/** Whether a link is tracked. */
export type Counts = (url: string) => boolean

/** What happens to the links: which are tracked, and what is added to their URLs. */
export interface Marking {
  /** If absent, all are tracked. */
  counts?: Counts
  /** If absent, nothing is added. */
  tag?: TagLink
}

const all: Counts = () => true
const asItIs: TagLink = (link) => link

/** A template's own part of a message is parsed once and not copied. */
export function markPage(page: Content, marking: Marking = {}): Marked<Content> {
  const parts = typeof page === 'string' ? undefined : spliced(page)
  return parts ? markParts(parts, marking) : markHtml(textOf(page), marking)
}

function markParts(
  parts: readonly Part[],
  { counts = all, tag = asItIs }: Marking,
): Marked<Content> {
  const links = linkList()
  const marked = parts.map((part) => {
    if (typeof part === 'string' || !('link' in part)) return part
    const link = tag(part.link)
    if (counts(part.url) && links.take(link)) return link === part.link ? part : { ...part, link }
    return link === part.link ? part.spelled : escapeHtml(link.url)
  })
  return {
    links: links.all(),
    write: (urlOf) =>
      marked.map((part) =>
        typeof part === 'string' || !('link' in part) ? part : escapeHtml(urlOf(part.link)),
      ),
  }
}

export function markHtml(html: string, marking: Marking = {}): Marked {
  return markedAt(html, findLinks(html), { ...marking, spell: escapeHtml })
}

export function markText(text: string, marking: Marking = {}): Marked {
  return markedAt(text, findTextLinks(text), { ...marking, spell: (url) => url })
}

interface Place {
  start: number
  end: number
  link: Link
  isTracked: boolean
}

function markedAt(
  source: string,
  found: readonly FoundLink[],
  { counts = all, tag = asItIs, spell }: Marking & { spell(url: string): string },
): Marked {
  const links = linkList()
  const places = found.flatMap(({ start, end, url }): Place[] => {
    const own = linkTo(url)
    if (!own) return []
    const link = tag(own)
    const isTracked = counts(url) && links.take(link)
    return isTracked || link !== own ? [{ start, end, link, isTracked }] : []
  })
  return {
    links: links.all(),
    write(urlOf) {
      let output = ''
      let at = 0
      for (const { start, end, link, isTracked } of places) {
        output += source.slice(at, start) + spell(isTracked ? urlOf(link) : link.url)
        at = end
      }
      return output + source.slice(at)
    },
  }
}

/** Lists each link once, up to the limit. */
function linkList() {
  const links = new Map<string, Link>()
  return {
    take(link: Link): boolean {
      if (!links.has(link.url) && links.size >= linkLimits.links) return false
      links.set(link.url, link)
      return true
    },
    all: () => [...links.values()],
  }
}
