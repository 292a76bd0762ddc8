/**
 * Splits a page into pieces at its links. The pieces of a template are parsed once for all its
 * messages. A message then costs only its filled-in parts, and a URL for each link.
 */

import { type FoundLink, findLinks, readLinks } from '../lib/email/find-links.ts'
import { cut, type SharedPiece } from '../lib/email/quoted-printable.ts'
import { type Link, linkTo } from './link.ts'

/** A link, as the page spells its URL. */
export interface Place {
  spelled: string
  /** The URL as a browser understands it. */
  url: string
  link: Link
}

export type Part = SharedPiece | string | Place

interface Read {
  parts: readonly Part[]
  /** The end of the piece, if its links depend on the text that follows. */
  open: string
}

/**
 * Cached by the offset at which parsing starts. That is mostly the start, or after a value's quote.
 */
const readsByPiece = new WeakMap<SharedPiece, Map<number, Read>>()
const beginnings = 8

/** How often an open piece may be parsed again with the piece that follows. */
const mostJoins = 200
/** How many ends of tags are tried until the open piece is complete. */
const mostEnds = 8

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

function readText(text: string): Read {
  const { links, openAt = text.length } = readLinks(text)
  return { parts: textParts(text.slice(0, openAt), links), open: text.slice(openAt) }
}

function textParts(text: string, links: readonly FoundLink[]): Part[] {
  const places = links.flatMap((link) => placeAt(text, link))
  return partsOf(text, places, (entry) => entry)
}

interface PlaceAt {
  start: number
  anchor: Place
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
