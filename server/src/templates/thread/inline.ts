/**
 * The text of a block as HTML. An author writes plain text with `**bold**`, `*italic*`,
 * `[words](https://…)` and `[words]{u color=accent size=l}`; a backslash takes a sign its meaning;
 * everything else is escaped. Each text is read once from its beginning to its end, so that no text
 * takes long. Liquid was replaced by words before (`hidden.ts`). The app reads the same language:
 * `web/src/parts/mail-editor/written-text.ts`.
 */
import { escapeHtml } from '../../lib/text/html.ts'

type Token = { html: string } | { mark: '**' | '*'; opens: boolean; closes: boolean }

/** Returns the address to use for a link, or throws. */
export type ReadUrl = (url: string) => string

export interface InlineLook {
  /** The style of links. */
  link: string
  /** The colour of the business, dark enough to be read on white. */
  accent: string
  /** The colours of the brand by name, as they can be read here. */
  named?: Readonly<Record<string, string>>
}

/** One line or several. A line break stays one. */
export function inlineHtml(source: string, readUrl: ReadUrl, look: InlineLook): string {
  const text = withoutEscapes(source)
  const tokens: Token[] = []
  let at = 0
  let searched = 0
  let close = -1
  for (;;) {
    const middle = nextMiddle(text, Math.max(at, searched))
    if (middle < 0) break
    searched = middle + 2
    const isLink = text[middle + 1] === '('
    if (isLink && close < searched) close = endOf(text, ')', searched)
    const styles = isLink ? undefined : marksAt(text, middle + 1, look)
    if (isLink ? close === text.length : !styles) continue
    const open = text.slice(at, middle).lastIndexOf('[')
    if (open < 0) {
      addTokens(tokens, text, at, searched)
      at = searched
      continue
    }
    addTokens(tokens, text, at, at + open)
    const label: Token[] = []
    addTokens(label, text, at + open + 1, middle)
    let html = emphasised(label)
    let end = styles?.end ?? close + 1
    if (isLink) {
      const url = readUrl(withEscapes(text.slice(searched, close)).trim())
      const after = marksAt(text, end, look)
      // Inside of the link, whose own colour would otherwise be that of its words.
      html = `<a href="${url}" class="link" style="${look.link}">${marked(html, after?.marks, look)}</a>`
      end = after?.end ?? end
    } else {
      html = marked(html, styles?.marks, look)
    }
    tokens.push({ html })
    at = end
  }
  addTokens(tokens, text, at, text.length)
  return signs(emphasised(tokens))
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from)
  return end < 0 ? text.length : end
}

/** Where the words of a link or of marks may end, from `from` on. */
function nextMiddle(text: string, from: number): number {
  let at = text.indexOf(']', from)
  while (at >= 0 && text[at + 1] !== '(' && text[at + 1] !== '{') at = text.indexOf(']', at + 1)
  return at
}

/** A sign after a backslash stands for itself. Signs of Unicode that no text has stand for them meanwhile. */
const escapable = '*[]{'
const standIns = '\ufdd0\ufdd1\ufdd2\ufdd3'
const standInOfBackslash = '\ufdd4'

/** Before such a sign, each pair of backslashes is one backslash. Elsewhere backslashes stay. */
function withoutEscapes(text: string): string {
  return text.replace(/[\ufdd0-\ufdd4]/g, '').replace(/\\+[*[\]{]?/g, (row) => {
    const sign = escapable.indexOf(row.at(-1) ?? '')
    if (sign < 0) return row
    const count = row.length - 1
    const last = count % 2 === 0 ? escapable[sign] : standIns[sign]
    return standInOfBackslash.repeat(Math.floor(count / 2)) + last
  })
}

/** As it was written, for an address. */
function withEscapes(text: string): string {
  return text.replace(/[\ufdd0-\ufdd4]/g, (sign) => {
    const index = standIns.indexOf(sign)
    return index < 0 ? '\\\\' : `\\${escapable[index]}`
  })
}

const signs = (html: string) =>
  html.replace(/[\ufdd0-\ufdd4]/g, (sign) => escapable[standIns.indexOf(sign)] ?? '\\')

/** The marks in braces after the words. */
interface Marks {
  b?: true
  i?: true
  u?: true
  /** The name of a colour of the brand. */
  colour?: string
  size?: 's' | 'm' | 'l'
}

/** The most characters of marks, so that no text takes long. */
const marksLength = 40

/** Undefined where no marks stand there. What is no mark stays text. */
function marksAt(
  text: string,
  at: number,
  { named: colours = {} }: InlineLook,
): { marks: Marks; end: number } | undefined {
  if (text[at] !== '{') return undefined
  const [, words] = /^\{([a-z= ]+)\}/.exec(text.slice(at, at + marksLength)) ?? []
  if (words === undefined) return undefined
  const marks: Marks = {}
  for (const word of words.split(' ')) {
    if (word === 'b' || word === 'i' || word === 'u') marks[word] = true
    else if (/^color=[a-z]{1,20}$/.test(word)) {
      const name = word.slice('color='.length)
      // The brand may have lost the colour since: then the words have that of those around them.
      if (name === 'accent' || Object.hasOwn(colours, name)) marks.colour = name
    } else if (word === 'size=s' || word === 'size=m' || word === 'size=l') {
      marks.size = word.slice('size='.length) as 's' | 'm' | 'l'
    } else return undefined
  }
  return { marks, end: at + words.length + 2 }
}

const sizes = { s: '13px', m: '16px', l: '20px' } as const

function marked(
  html: string,
  marks: Marks | undefined,
  { accent, named: colours = {} }: InlineLook,
): string {
  if (!marks) return html
  const { b, i, u, colour, size } = marks
  let text = html
  if (b) text = `<strong>${text}</strong>`
  if (i) text = `<em>${text}</em>`
  if (u) text = `<u>${text}</u>`
  const styles = [
    ...(colour === undefined ? [] : [`color:${colours[colour] ?? accent}`]),
    ...(size === undefined ? [] : [`font-size:${sizes[size]}`]),
  ]
  if (styles.length === 0) return text
  const name = colour === undefined ? '' : ' class="accent"'
  return `<span${name} style="${styles.join(';')}">${text}</span>`
}

/** Paragraphs, which empty lines separate. */
export function paragraphsOf(text: string): string[] {
  const paragraphs: string[][] = [[]]
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (line.trim() !== '') paragraphs.at(-1)?.push(line)
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([])
  }
  return paragraphs.filter(({ length }) => length > 0).map((lines) => lines.join('\n'))
}

const isSpace = (character: string | undefined) =>
  character === undefined || character.trim() === ''

/** A star is a mark beside a word. Between spaces it is a star. */
function addTokens(tokens: Token[], text: string, start: number, end: number): void {
  const part = text.slice(start, end)
  let from = 0
  for (let at = part.indexOf('*'); at >= 0; at = part.indexOf('*', from)) {
    if (at > from) tokens.push({ html: asHtml(part.slice(from, at)) })
    const mark = part[at + 1] === '*' ? '**' : '*'
    from = at + mark.length
    const [before, after] = [text[start + at - 1], text[start + from]]
    tokens.push({ mark, opens: !isSpace(after), closes: !isSpace(before) })
  }
  if (from < part.length) tokens.push({ html: asHtml(part.slice(from)) })
}

const asHtml = (text: string) => escapeHtml(text).replaceAll('\n', '<br />')

/** Marks without a partner are written as they are. */
function emphasised(tokens: readonly Token[]): string {
  const texts = tokens.map((token) => ('html' in token ? token.html : token.mark))
  const open: { mark: string; place: number }[] = []
  for (const [index, token] of tokens.entries()) {
    if ('html' in token) continue
    const last = open.at(-1)
    if (last?.mark === token.mark && token.closes) {
      const tag = token.mark === '**' ? 'strong' : 'em'
      texts[last.place] = `<${tag}>`
      texts[index] = `</${tag}>`
      open.pop()
    } else if (token.opens && !open.some(({ mark }) => mark === token.mark)) {
      open.push({ mark: token.mark, place: index })
    }
  }
  return texts.join('')
}
