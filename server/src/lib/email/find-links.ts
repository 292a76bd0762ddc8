/**
 * Finds the links of a mail and their positions. A scanner for start tags and their attributes is
 * enough. Text that mail programs do not read as tags (comments, including Outlook's conditional
 * ones, and the content of style and script) is skipped.
 */

export interface FoundLink {
  /** The position of the value of `href`, without its quotes. */
  start: number
  end: number
  /** The value as a browser understands it. */
  url: string
}

// The text is read in one pass: the first letters anchor each alternative, so nothing backtracks.
const pieces =
  /<!--[\s\S]*?(?:-->|$)|<(style|script|title|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)|<a(?:rea)?\b(?=\s)/gi
const attribute = /\s*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?|\s*\/?/gy

// A possible beginning of any of these, cut off by the end of the text.
const beginning = /<[!a-z-]{0,9}$/i

export function findLinks(html: string): FoundLink[] {
  const links: FoundLink[] = []
  for (const { link } of anchors(html)) if (link) links.push(link)
  return links
}

/**
 * The links of a text that another text follows. From `openAt` on, the following text decides what
 * is a link. A text that follows one without `openAt` is read as if it were alone.
 */
export function readLinks(html: string): { links: FoundLink[]; openAt: number | undefined } {
  const links: FoundLink[] = []
  for (const { link, openAt } of anchors(html)) {
    if (openAt !== undefined) return { links, openAt }
    if (link) links.push(link)
  }
  const tail = beginning.exec(html.slice(-10))
  return { links, openAt: tail ? html.length - tail[0].length : undefined }
}

interface Anchor {
  link?: FoundLink
  /** The position of a construct that does not end in the text. */
  openAt?: number
}

function* anchors(html: string): Generator<Anchor> {
  let at = 0
  for (;;) {
    pieces.lastIndex = at
    const piece = pieces.exec(html)
    if (!piece) return
    at = pieces.lastIndex
    if (!/^<a/i.test(piece[0])) {
      if (!isEnded(piece)) yield { openAt: piece.index }
      continue
    }
    const link = hrefFrom(html, at)
    if (link === 'open') yield { openAt: piece.index }
    if (typeof link === 'string') continue
    yield { link }
    // The content of a URL is part of it, even where it looks like markup.
    at = link.end
  }
}

/** Whether a comment, or an element with raw content, ends within the text. */
function isEnded([text, name]: RegExpExecArray): boolean {
  if (name === undefined) return text.length >= '<!---->'.length && text.endsWith('-->')
  return /<\/([a-z]+)\s*>$/i.exec(text)?.[1]?.toLowerCase() === name.toLowerCase()
}

/**
 * The first `href` of the tag whose attributes begin here, since browsers ignore a second one.
 * Returns `open` where the text ends, or a quote is missing, before that is certain.
 */
function hrefFrom(html: string, from: number): FoundLink | 'none' | 'open' {
  attribute.lastIndex = from
  for (;;) {
    const found = attribute.exec(html)
    const next = html[attribute.lastIndex]
    if (!found || found[0] === '') return next === '>' || next === '<' ? 'none' : 'open'
    const [whole, name = '', double, single, bare] = found
    if (name.toLowerCase() !== 'href') continue
    const value = double ?? single ?? bare
    if (value === undefined) return next === '>' || next === '<' ? 'none' : 'open'
    if (bare !== undefined && next === undefined) return 'open'
    const end = found.index + whole.length - (bare === undefined ? 1 : 0)
    return { start: end - value.length, end, url: decode(value).trim() }
  }
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes the character references that occur in URLs and leaves all others unchanged. */
function decode(value: string): string {
  return value.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (all, ...m) => {
      const [hex, decimal, name] = m as (string | undefined)[]
      if (name !== undefined) return named[name.toLowerCase()] ?? all
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}

// The beginning of a URL in plain text, and the rest of it: one class, with nothing after it.
const beginningOfUrl = /https?:\/\//gi
const restOfUrl = /[^\s<>"]*/y
const endsSentence = new Set("'.,;:!?)]}")

/** The URLs of a plain text. Punctuation that ends a sentence is not part of the URL before it. */
export function findTextLinks(text: string): FoundLink[] {
  const links: FoundLink[] = []
  let at = 0
  for (;;) {
    beginningOfUrl.lastIndex = at
    const found = beginningOfUrl.exec(text)
    if (!found) return links
    const rest = beginningOfUrl.lastIndex
    restOfUrl.lastIndex = rest
    restOfUrl.exec(text)
    const stop = restOfUrl.lastIndex
    let end = stop
    while (end > rest && endsSentence.has(text[end - 1] ?? '')) end--
    if (end > rest) links.push({ start: found.index, end, url: text.slice(found.index, end) })
    at = end > rest ? end : stop
  }
}
