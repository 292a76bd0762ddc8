/** Replaces links by tracked links. */

import { findLinks, findTextLinks } from '../lib/email/find-links.ts'
import { type Content, textOf } from '../lib/email/quoted-printable.ts'
import { escapeHtml } from '../lib/text/html.ts'
import { type Link, linkLimits, linkTo } from './link.ts'
import { type Part, spliced } from './splice.ts'

export interface Marked<Page = string> {
  links: readonly Link[]
  /** Writes the text with a tracked URL in place of each tracked link. */
  write(urlOf: (link: Link) => string): Page
}

/** Whether a link is tracked. */
export type Counts = (url: string) => boolean

const all: Counts = () => true

/** A template's own part of a message is parsed once and not copied. */
export function markPage(page: Content, counts: Counts = all): Marked<Content> {
  const parts = typeof page === 'string' ? undefined : spliced(page)
  return parts ? markParts(parts, counts) : markHtml(textOf(page), counts)
}

function markParts(parts: readonly Part[], counts: Counts): Marked<Content> {
  const links = linkList()
  const marked = parts.map((part) => {
    if (typeof part === 'string' || !('link' in part)) return part
    return counts(part.url) && links.take(part.link) ? part : part.spelled
  })
  return {
    links: links.all(),
    write: (urlOf) =>
      marked.map((part) =>
        typeof part === 'string' || !('link' in part) ? part : escapeHtml(urlOf(part.link)),
      ),
  }
}

export function markHtml(html: string, counts: Counts = all): Marked {
  const found = findLinks(html)
    .filter(({ url }) => counts(url))
    .map(({ start, end, url }) => ({ start, end, link: linkTo(url) }))
  return markedAt(html, found, escapeHtml)
}

export function markText(text: string, counts: Counts = all): Marked {
  const found = findTextLinks(text)
    .filter(({ url }) => counts(url))
    .map(({ start, end, url }) => ({ start, end, link: linkTo(url) }))
  return markedAt(text, found, (url) => url)
}

interface Place {
  start: number
  end: number
  link: Link | undefined
}

function markedAt(source: string, found: Place[], spell: (url: string) => string): Marked {
  const links = linkList()
  const places = found.filter(({ link }) => link && links.take(link))
  return {
    links: links.all(),
    write(urlOf) {
      let written = ''
      let at = 0
      for (const { start, end, link } of places) {
        if (!link) continue
        written += source.slice(at, start) + spell(urlOf(link))
        at = end
      }
      return written + source.slice(at)
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
