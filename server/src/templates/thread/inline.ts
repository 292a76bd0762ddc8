/**
 * The text of a block as HTML. An author writes plain text with `**bold**`, `*italic*` and
 * `[words](https://…)`; everything else is escaped. Each text is read once from its beginning to its
 * end, so that no text takes long. Liquid was replaced by words before (`hidden.ts`).
 */
import { escapeHtml } from '../../lib/text/html.ts'

type Token = { html: string } | { mark: '**' | '*'; opens: boolean; closes: boolean }

/** Returns the address to use for a link, or throws. */
export type ReadUrl = (written: string) => string

/** One line or several. A line break stays one. */
export function inlineHtml(text: string, readUrl: ReadUrl, linkStyle: string): string {
  const tokens: Token[] = []
  let at = 0
  let close = -1
  while (at < text.length) {
    const middle = text.indexOf('](', at)
    if (middle < 0) break
    if (close < middle + 2) close = text.indexOf(')', middle + 2)
    if (close < 0) break
    const open = text.slice(at, middle).lastIndexOf('[')
    if (open < 0) {
      addTokens(tokens, text, at, middle + 2)
      at = middle + 2
      continue
    }
    addTokens(tokens, text, at, at + open)
    const url = readUrl(text.slice(middle + 2, close).trim())
    const label: Token[] = []
    addTokens(label, text, at + open + 1, middle)
    tokens.push({
      html: `<a href="${url}" class="link" style="${linkStyle}">${emphasised(label)}</a>`,
    })
    at = close + 1
  }
  addTokens(tokens, text, at, text.length)
  return emphasised(tokens)
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
    if (at > from) tokens.push({ html: written(part.slice(from, at)) })
    const mark = part[at + 1] === '*' ? '**' : '*'
    from = at + mark.length
    const [before, after] = [text[start + at - 1], text[start + from]]
    tokens.push({ mark, opens: !isSpace(after), closes: !isSpace(before) })
  }
  if (from < part.length) tokens.push({ html: written(part.slice(from)) })
}

const written = (text: string) => escapeHtml(text).replaceAll('\n', '<br />')

/** Marks without a partner are written as they are. */
function emphasised(tokens: readonly Token[]): string {
  const texts = tokens.map((token) => ('html' in token ? token.html : token.mark))
  const open: { mark: string; place: number }[] = []
  for (const [place, token] of tokens.entries()) {
    if ('html' in token) continue
    const last = open.at(-1)
    if (last?.mark === token.mark && token.closes) {
      const tag = token.mark === '**' ? 'strong' : 'em'
      texts[last.place] = `<${tag}>`
      texts[place] = `</${tag}>`
      open.pop()
    } else if (token.opens && !open.some(({ mark }) => mark === token.mark)) {
      open.push({ mark: token.mark, place })
    }
  }
  return texts.join('')
}
