/**
 * The links of a mail: replaced by tracked ones, and given a campaign's UTM parameters. A page of a
 * template is split into pieces at its links once for all its messages, so that a message costs only
 * its filled-in parts, and a URL for each link.
 */

import { type Utm, urlTagger } from '../core/utm.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import { sha256 } from '../lib/crypto/vault.ts'
import { type FoundLink, findLinks, findTextLinks, readLinks } from '../lib/email/find-links.ts'
import { cut, type PiecedText, type SharedPiece, textOf } from '../lib/email/quoted-printable.ts'
import { escapeHtml } from '../lib/text/html.ts'

export interface Marked<Page = string> {
  links: readonly Link[]
  /** Writes the text with a tracked URL in place of each tracked link. */
  write(urlOf: (link: Link) => string): Page
}

/** Whether a link is tracked. */
type Counts = (url: string) => boolean

export type TagLink = (link: Link) => Link

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
export function markPage(page: PiecedText, marking: Marking = {}): Marked<PiecedText> {
  const parts = typeof page === 'string' ? undefined : spliced(page)
  return parts ? markParts(parts, marking) : markHtml(textOf(page), marking)
}

/** A link, as the page spells its URL. */
interface Anchor {
  spelled: string
  /** The URL as a browser understands it. */
  url: string
  link: Link
}

type Part = SharedPiece | string | Anchor

interface Read {
  parts: readonly Part[]
  /** The end of the piece, if its links depend on the text that follows. */
  open: string
}

/** Undefined for a page whose pieces do not separate at tags. */
export function spliced(pieces: readonly (SharedPiece | string)[]): Part[] | undefined {
  const parts: Part[] = []
  let open = ''
  let joins = 0
  const take = (read: Read) => {
    for (const part of read.parts) parts.push(part)
    open = read.open
  }
  for (const piece of pieces) {
    if (open === '') {
      take(typeof piece === 'string' ? readText(piece) : readCut(piece, 0))
      continue
    }
    if (joins++ === mostJoins) return undefined
    if (typeof piece === 'string') {
      take(readText(open + piece))
      continue
    }
    const joined = joinedTo(open, piece)
    if (!joined) return undefined
    take(joined.read)
    if (joined.end < piece.text.length) take(readCut(piece, joined.end))
  }
  return parts.concat(textParts(open, findLinks(open)))
}

/** How often an open piece may be parsed again with the piece that follows. */
const mostJoins = 200

/** Parses the open piece to its end in the next piece, whose rest is known. */
function joinedTo(open: string, { text }: SharedPiece): { read: Read; end: number } | undefined {
  let end = 0
  for (let tries = 0; tries < mostEnds; tries++) {
    end = text.indexOf('>', end) + 1
    if (end === 0) return { read: readText(open + text), end: text.length }
    const read = readText(open + text.slice(0, end))
    if (read.open === '') return { read, end }
  }
  return undefined
}

function readCut(piece: SharedPiece, from: number): Read {
  const reads = readsByPiece.get(piece) ?? new Map<number, Read>()
  readsByPiece.set(piece, reads)
  const cached = reads.get(from)
  if (cached) return cached
  const text = piece.text.slice(from)
  const { links, openAt = text.length } = readLinks(text)
  const places = links.flatMap((link) => placeAt(text, link))
  // A piece without links is not copied.
  const whole = from === 0 && places.length === 0 && openAt === text.length
  const read = whole
    ? { parts: [piece], open: '' }
    : { parts: partsOf(text.slice(0, openAt), places, cut), open: text.slice(openAt) }
  if (reads.size < beginnings) reads.set(from, read)
  return read
}

interface PlaceAt {
  start: number
  anchor: Anchor
}

function placeAt(text: string, { start, end, url }: FoundLink): PlaceAt[] {
  const link = linkTo(url)
  return link ? [{ start, anchor: { spelled: text.slice(start, end), url, link } }] : []
}

function partsOf(
  text: string,
  places: readonly PlaceAt[],
  render: (text: string) => SharedPiece | string,
): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { start, anchor } of places) {
    if (start > at) parts.push(render(text.slice(at, start)))
    parts.push(anchor)
    at = start + anchor.spelled.length
  }
  if (at < text.length) parts.push(render(text.slice(at)))
  return parts
}

function readText(text: string): Read {
  const { links, openAt = text.length } = readLinks(text)
  return { parts: textParts(text.slice(0, openAt), links), open: text.slice(openAt) }
}

function textParts(text: string, links: readonly FoundLink[]): Part[] {
  const places = links.flatMap((link) => placeAt(text, link))
  return partsOf(text, places, (entry) => entry)
}

/**
 * Cached by the offset at which parsing starts. That is mostly the start, or after a value's quote.
 */
const readsByPiece = new WeakMap<SharedPiece, Map<number, Read>>()

const beginnings = 8

/** How many ends of tags are tried until the open piece is complete. */
const mostEnds = 8

function markParts(
  parts: readonly Part[],
  { counts = all, tag = asItIs }: Marking,
): Marked<PiecedText> {
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
  foundLinks: readonly FoundLink[],
  { counts = all, tag = asItIs, spell }: Marking & { spell(url: string): string },
): Marked {
  const links = linkList()
  const places = foundLinks.flatMap(({ start, end, url }): Place[] => {
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

/** A tracked link: a row with its destination, named by a hash of the URL. */
export interface Link {
  hash: Buffer
  /** The hash as text. */
  name: string
  url: string
}

export const linkLimits = {
  /** The most characters of a URL. Browsers and mail programs support about as many. */
  urlLength: 2_000,
  /** The most tracked links per message. Further links stay direct. */
  links: 200,
} as const

/** The name of the hidden link, which no person sees. */
export const hiddenHash: Buffer = Buffer.alloc(16)

/** The tracked link for a URL. Undefined for a URL that is not of the web, or too long. */
function linkTo(text: string): Link | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  const url = URL.parse(text)?.href
  if (url === undefined || url.length > linkLimits.urlLength) return undefined
  const hash = sha256(url).subarray(0, 16)
  return { url, hash, name: hash.toString('base64') }
}

/**
 * The links of a template are the same objects in all its messages, so each is tagged and hashed
 * once for a campaign.
 */
export function linkTagger(utm: Utm, ownHosts: readonly string[]): TagLink {
  const name = JSON.stringify([utm, ownHosts])
  const cached = taggers.get(name)
  if (cached) return cached
  const tagUrl = urlTagger(utm, ownHosts)
  const tagged = new WeakMap<Link, Link>()
  const tag: TagLink = (link) => {
    const cached = tagged.get(link)
    if (cached) return cached
    const url = tagUrl(link.url)
    const taggedLink = url === link.url ? link : (linkTo(url) ?? link)
    tagged.set(link, taggedLink)
    return taggedLink
  }
  setNewest(taggers, [name, tag], mostTaggers)
  return tag
}

const taggers = new Map<string, TagLink>()

const mostTaggers = 100
