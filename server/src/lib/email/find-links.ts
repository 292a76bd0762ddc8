/**
 * Finds the links of a mail and their positions. A scanner for start tags and their attributes is
 * enough. Text that mail programs do not read as tags (comments, and the content of style and
 * script) is skipped. Outlook's conditional comments are read: its buttons are in them.
 */
import { decodeHTMLAttribute } from 'entities/lib/decode.js'

export interface FoundLink {
  /** The position of the value of `href`, without its quotes. */
  start: number
  end: number
  /** The value as a browser understands it. */
  url: string
}

/** The tags whose addresses are looked for, and the attribute that holds them. */
interface Kind {
  pieces: RegExp
  attribute: 'href' | 'src'
}

// The text is read in one pass: the first letters anchor each alternative, so nothing backtracks.
// A tag without attributes is no piece: a page may have hundreds of thousands of them.
// The tags of `v:` are shapes of VML, from which buttons for Outlook are made.
const linkKind: Kind = {
  pieces:
    /<!--[\s\S]*?(?:-->|$)|<(style|script|title|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)|<(?:a|area|v:(?:(?:round)?rect|shape|oval|line|polyline|arc|curve|group|image))(?=\s+(?:[^\s<>]|$))/gi,
  attribute: 'href',
}
const imageKind: Kind = {
  pieces:
    /<!--[\s\S]*?(?:-->|$)|<(style|script|title|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)|<(?:img|v:(?:image|imagedata|fill))(?=\s+(?:[^\s<>]|$)|\/)/gi,
  attribute: 'src',
}
const attribute = /\s*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?|\s*\/?/gy
const conditional = /^<!--\[if\b/i

// A possible beginning of any link's tag or of a comment, cut off by the end of the text.
const beginning = /<[!a-z:-]{0,12}$/i

export function findLinks(html: string): FoundLink[] {
  const links: FoundLink[] = []
  for (const { link } of anchors(html, linkKind)) if (link) links.push(link)
  return links
}

/** The addresses of the images of a page. */
export function findImages(html: string): FoundLink[] {
  return [...anchors(html, imageKind)].flatMap(({ link }) => link ?? [])
}

/**
 * The links of a text that another text follows. From `openAt` on, the following text decides what
 * is a link. A text that follows one without `openAt` is read as if it were alone.
 */
export function readLinks(html: string): { links: FoundLink[]; openAt: number | undefined } {
  const links: FoundLink[] = []
  for (const { link, openAt } of anchors(html, linkKind)) {
    if (openAt !== undefined) return { links, openAt }
    if (link) links.push(link)
  }
  const tail = beginning.exec(html.slice(-13))
  return { links, openAt: tail ? html.length - tail[0].length : undefined }
}

interface Anchor {
  link?: FoundLink
  /** The position of a construct that does not end in the text. */
  openAt?: number
}

function* anchors(html: string, kind: Kind, isWithin = false): Generator<Anchor> {
  const { pieces } = kind
  let at = 0
  for (;;) {
    pieces.lastIndex = at
    const piece = pieces.exec(html)
    if (!piece) return
    at = pieces.lastIndex
    const [text, raw] = piece
    if (raw !== undefined || text.startsWith('<!')) {
      if (!isEnded(piece)) yield { openAt: piece.index }
      else if (!isWithin && conditional.test(text)) yield* linksWithin(piece, kind)
      continue
    }
    const link = addressFrom(html, at, kind.attribute)
    if (link === 'open') yield { openAt: piece.index }
    if (typeof link === 'string') continue
    yield { link }
    // The content of a URL is part of it, even where it looks like markup.
    at = link.end
  }
}

/** The links of a conditional comment, which Outlook reads as a part of the page. */
function* linksWithin({ 0: comment, index }: RegExpExecArray, kind: Kind): Generator<Anchor> {
  const start = '<!--'.length
  const shift = index + start
  for (const { link } of anchors(comment.slice(start, -'-->'.length), kind, true)) {
    if (link) yield { link: { ...link, start: link.start + shift, end: link.end + shift } }
  }
}

/** Whether a comment, or an element with raw content, ends within the text. */
function isEnded([text, name]: RegExpExecArray): boolean {
  if (name === undefined) return text.length >= '<!---->'.length && text.endsWith('-->')
  return /<\/([a-z]+)\s*>$/i.exec(text)?.[1]?.toLowerCase() === name.toLowerCase()
}

/**
 * The first such attribute of the tag whose attributes begin here: browsers ignore a second one.
 * Returns `open` where the text ends, or a quote is missing, before that is certain.
 */
function addressFrom(
  html: string,
  from: number,
  attributeName: Kind['attribute'],
): FoundLink | 'none' | 'open' {
  attribute.lastIndex = from
  for (;;) {
    const match = attribute.exec(html)
    const next = html[attribute.lastIndex]
    if (!match || match[0] === '') return next === '>' || next === '<' ? 'none' : 'open'
    const [whole, name = '', double, single, bare] = match
    if (name.toLowerCase() !== attributeName) continue
    const value = double ?? single ?? bare
    if (value === undefined) return next === '>' || next === '<' ? 'none' : 'open'
    if (bare !== undefined && next === undefined) return 'open'
    const end = match.index + whole.length - (bare === undefined ? 1 : 0)
    return { start: end - value.length, end, url: urlOf(value) }
  }
}

/** Browsers decode all character references of HTML, and drop the spaces around an address. */
function urlOf(value: string): string {
  return (value.includes('&') ? decodeHTMLAttribute(value) : value).trim()
}

const beginningOfUrl = /https?:\/\//gi
/** A run of ASCII characters that may stand in a URL, without brackets and apostrophes. */
const plainRun = /[!#-&*-;=?-Z\\^_a-z|~]+/y
const endOfHost = /[/?#]/
/** Beside ASCII: letters of scripts with spaces between words, since people write such paths. */
const spacedLetter =
  /^(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Yi}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\uff00-\uffef])[\p{L}\p{M}\p{Nd}]/u
const letter = /^[\p{L}\p{M}\p{Nd}]/u
const wholeHost = /\.(?:[a-z][a-z0-9-]{1,62}|\d{1,3})(?::\d{1,5})?$/i
const longestHost = 253
const longestLabel = 64

const endsSentence = new Set("'.,;:!?*([{")
const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
/** What ends a URL that stands directly after the first character. */
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', "'": "'" }

/** The URLs of a plain text, without the punctuation and the words of the sentence around them. */
export function findTextLinks(text: string): FoundLink[] {
  const links: FoundLink[] = []
  let at = 0
  for (;;) {
    beginningOfUrl.lastIndex = at
    const match = beginningOfUrl.exec(text)
    if (!match) return links
    const rest = beginningOfUrl.lastIndex
    at = urlEnd(text, rest, closers[text[match.index - 1] ?? ''])
    if (at > rest) links.push({ start: match.index, end: at, url: text.slice(match.index, at) })
  }
}

/**
 * The end of the URL whose host begins at `rest`, in one pass. A closing bracket belongs to it only if it was opened in it (GFM 6.9).
 */
function urlEnd(text: string, rest: number, closer: string | undefined): number {
  const open = new Map(['(', '[', '{'].map((sign) => [sign, 0]))
  const count = (sign: string, n: number) => open.set(sign, (open.get(sign) ?? 0) + n)
  const opened = (sign: string) => open.get(sign) ?? 0
  let isHost = true
  let end = rest
  for (;;) {
    plainRun.lastIndex = end
    if (plainRun.test(text)) {
      if (isHost) isHost = !endOfHost.test(text.slice(end, plainRun.lastIndex))
      end = plainRun.lastIndex
    }
    const sign = text.charAt(end)
    const opener = openers[sign]
    if (sign === closer && (opener === undefined || opened(opener) === 0)) break
    const isSign = opener !== undefined || open.has(sign) || sign === "'"
    const length = isSign ? 1 : letterLength(text, end, isHost ? rest : undefined)
    if (length === 0) break
    if (open.has(sign)) count(sign, 1)
    else if (opener !== undefined) count(opener, -1)
    end += length
  }
  for (; end > rest; end--) {
    const sign = text.charAt(end - 1)
    const opener = openers[sign]
    if (opener === undefined ? !endsSentence.has(sign) : opened(opener) >= 0) break
    if (opener !== undefined) count(opener, 1)
    else if (open.has(sign)) count(sign, -1)
  }
  return end
}

/**
 * The length of the letter beyond ASCII if it belongs to the URL, else 0. A URL has ASCII characters
 * (RFC 3986 section 2); in scripts without spaces a sentence goes on directly after it. But letters
 * of every script belong to a host that has no end yet, as in `https://例え.example/`.
 */
function letterLength(text: string, at: number, host: number | undefined): number {
  const code = text.codePointAt(at) ?? 0
  if (code < 0x80) return 0
  const character = String.fromCodePoint(code)
  if (spacedLetter.test(character)) return character.length
  if (host === undefined || at - host > longestHost || !letter.test(character)) return 0
  return wholeHost.test(text.slice(Math.max(host, at - longestLabel), at)) ? 0 : character.length
}
