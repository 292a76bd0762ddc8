/** Turns the author's HTML into the HTML and the text that mailboxes show. */
import { randomBytes } from 'node:crypto'
import { convert, type TextElement } from 'html-to-text'
import juice from 'juice'

/**
 * Some mail programs drop style sheets, so each rule moves to the elements that it matches. What
 * cannot move stays in its <style>: rules of media and other at-rules, states such as :hover, and
 * rules that match nothing here, because a mail program adds the element or attribute they name.
 */
export function inlined(html: string): string {
  if (!/<style\b/i.test(html)) return html
  const markup = createKept()
  const moved = juice(eachStyle(html, markup.without), {
    applyWidthAttributes: true,
    removeStyleTags: false,
    removeInlinedSelectors: true,
  })
  return markup.restored(moved)
}

const styleStart = /<!--[\s\S]*?(?:-->|$)|<style\b[^<>]*>/gi
const styleEnd = /<\/style\b/gi

/** Changes the content of each style element that mail programs without comments of their own read. */
function eachStyle(html: string, change: (css: string, isWhole: boolean) => string): string {
  let output = ''
  let at = 0
  styleStart.lastIndex = 0
  for (let match = styleStart.exec(html); match; match = styleStart.exec(html)) {
    const [tag] = match
    if (tag.startsWith('<!') || /\sdata-embed(?=[\s=/>])/i.test(tag)) continue
    const start = styleStart.lastIndex
    styleEnd.lastIndex = start
    const end = styleEnd.exec(html)?.index
    if (end === undefined) break
    output += html.slice(at, start) + change(html.slice(start, end), isForSome(tag))
    at = end
    styleStart.lastIndex = end
  }
  return output + html.slice(at)
}

/** Whether the style sheet applies to some media alone, such as narrow screens. */
function isForSome(tag: string): boolean {
  const media = /\smedia\s*=\s*["']?([^"'<>]*)/i.exec(tag)?.[1] ?? 'all'
  return !['all', 'screen', ''].includes(media.trim().toLowerCase())
}

/** Replaces what must stay in its style sheet by rules that match nothing, and restores it. */
function createKept() {
  const mark = `k${randomBytes(6).toString('hex')}n`
  const keptRules: string[] = []
  return {
    without(css: string, isWhole: boolean): string {
      let text = ''
      let isAfterKept = false
      /** What follows what was kept is kept with it: each rule costs a search of the whole page. */
      const keep = (rules: string, before = '') => {
        if (isAfterKept) keptRules.push(`${keptRules.pop()}${before}${rules}`)
        else text += `${before}${mark}${keptRules.push(rules) - 1}x{a:b}`
        isAfterKept = true
      }
      if (isWhole) keep(css)
      for (const { before, selectors, body, isFlat } of isWhole ? [] : statementsOf(css)) {
        if (selectors === undefined || !isFlat) {
          if (body !== '') keep((selectors ?? '') + body, before)
          continue
        }
        const parts = splitSelectors(selectors)
        const movable = parts.filter((selector) => !pseudoElement.test(selector))
        const fixed = parts.filter((selector) => pseudoElement.test(selector))
        if (movable.length > 0) {
          text += `${before}${movable.join(',')}${body}`
          isAfterKept = false
        }
        if (fixed.length > 0) keep(`${fixed.join(',')}${body}`, movable.length > 0 ? '' : before)
        // Rules that stay may need its custom properties.
        else if (customProperty.test(body)) keep(selectors + body)
      }
      return text
    },
    restored: (html: string) =>
      html.replace(new RegExp(`${mark}(\\d+)x\\s*\\{[^{}]*\\}`, 'g'), (_all, n: string) => {
        return keptRules[Number(n)] ?? ''
      }),
  }
}

const pseudoElement = /::|:(?:before|after|first-line|first-letter)\b/i
const customProperty = /[{;\s]--/

interface Statement {
  /** Spaces and comments. */
  before: string
  /** Undefined for an at-rule. */
  selectors?: string
  /** The block of a rule, or the whole at-rule. */
  body: string
  /** Whether no block is within its block. */
  isFlat: boolean
}

const cssPiece =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*["\n]?|'(?:[^'\\\n]|\\[\s\S])*['\n]?|<!--|-->|[{}();]/g
const spaceAndComments = /(?:\s|\/\*[\s\S]*?\*\/|<!--|-->)*/y

/** The rules of a style sheet, read once. A block without an end ends with the sheet, as in CSS. */
function* statementsOf(css: string): Generator<Statement> {
  let start = 0
  let [depth, parens, block] = [0, 0, -1]
  let isFlat = true
  const whole = (end: number): Statement => {
    spaceAndComments.lastIndex = start
    spaceAndComments.test(css)
    const first = Math.min(spaceAndComments.lastIndex, end)
    const before = css.slice(start, first).replace(/<!--|-->/g, '')
    const isAtRule = css.charAt(first) === '@' || block < 0
    const statement = isAtRule
      ? { before, body: css.slice(first, end), isFlat }
      : { before, selectors: css.slice(first, block), body: css.slice(block, end), isFlat }
    start = end
    ;[depth, parens, block] = [0, 0, -1]
    isFlat = true
    return statement
  }
  cssPiece.lastIndex = 0
  for (let match = cssPiece.exec(css); match; match = cssPiece.exec(css)) {
    const [piece] = match
    const end = cssPiece.lastIndex
    if (piece === '(') parens++
    else if (piece === ')') parens = Math.max(0, parens - 1)
    else if (piece === '{') {
      if (depth++ === 0) block = match.index
      else isFlat = false
    } else if (piece === '}') {
      if (depth > 0 && --depth === 0) yield whole(end)
    } else if (piece === ';' && depth === 0 && parens === 0 && isAtRuleFrom(css, start)) {
      yield whole(end)
    }
  }
  if (css.slice(start).trim() !== '') yield whole(css.length)
}

function isAtRuleFrom(css: string, start: number): boolean {
  spaceAndComments.lastIndex = start
  spaceAndComments.test(css)
  return css.charAt(spaceAndComments.lastIndex) === '@'
}

/** At the commas that are within no brackets and no string. */
function splitSelectors(selectors: string): string[] {
  const selectorList: string[] = []
  let start = 0
  let depth = 0
  const piece = /"(?:[^"\\\n]|\\[\s\S])*["\n]?|'(?:[^'\\\n]|\\[\s\S])*['\n]?|[()[\],]/g
  for (const { 0: sign, index } of selectors.matchAll(piece)) {
    if (sign === '(' || sign === '[') depth++
    else if (sign === ')' || sign === ']') depth--
    else if (sign === ',' && depth <= 0) {
      selectorList.push(selectors.slice(start, index))
      start = index + 1
    }
  }
  return [...selectorList, selectors.slice(start)]
}

/** The hidden text that is shown beside the subject, padded so that the mail's text is not. */
export function withPreheader(html: string, preheader: string): string {
  const hidden =
    'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all;font-size:1px;line-height:1px'
  const filling = '&#847;&zwnj;&nbsp;'.repeat(60)
  const block = `<div style="${hidden}">${preheader}${filling}</div>`
  const at = bodyStart(html)
  return html.slice(0, at) + block + html.slice(at)
}

/** The position after the body's start tag. 0 if there is none, or if it does not end. */
function bodyStart(html: string): number {
  const start = html.search(/<body\b/i)
  if (start < 0) return 0
  const sign = /[>"']/g
  sign.lastIndex = start
  for (let match = sign.exec(html); match; match = sign.exec(html)) {
    if (match[0] === '>') return sign.lastIndex
    const end = html.indexOf(match[0], sign.lastIndex)
    if (end < 0) return 0
    sign.lastIndex = end + 1
  }
  return 0
}

/**
 * The text of the HTML, with the address of each link after its words. What a page shows apart, such
 * as cells and adjacent links, stands apart; an image that is a link is its alternative text.
 */
export function textOfHtml(html: string): string {
  const text = convert(html, {
    wordwrap: false,
    formatters: {
      cell(element, walk, builder) {
        walk(element.children, builder)
        builder.addInline(' ')
      },
      link(element, walk, builder, options) {
        builder.options.formatters.anchor(element, walk, builder, options)
        if (nextShown(element)?.name === 'a') builder.addInline(' ')
      },
      receipt(element, walk, builder) {
        builder.openTable()
        for (const row of rowsOf(element)) {
          builder.openTableRow()
          if (row.type === 'text') {
            builder.openTableCell()
            builder.addInline(row.data ?? '')
            builder.closeTableCell({ colspan: 3 })
          }
          for (const cell of row.children ?? []) {
            if (cell.name !== 'td' && cell.name !== 'th') continue
            builder.openTableCell()
            walk(cell.children, builder)
            builder.closeTableCell({ colspan: cell.attribs?.['colspan'] === '2' ? 2 : 1 })
          }
          builder.closeTableRow()
        }
        builder.closeTable({ tableToString: alignedRows })
      },
      linkedImage(element, _walk, builder) {
        const alt = element.attribs?.['alt']?.trim() ?? ''
        if (alt !== '' && isInLink(element)) builder.addInline(` ${alt} `)
      },
    },
    selectors: [
      { selector: 'img', format: 'linkedImage' },
      {
        selector: 'a',
        format: 'link',
        options: { hideLinkHrefIfSameAsText: true, ignoreHref: false },
      },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
      ...lines.map((selector) => ({
        selector,
        format: 'block',
        options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
      })),
      { selector: 'table', options: { uppercaseHeaderCells: false } },
      { selector: 'table.crier-receipt', format: 'receipt' },
    ],
    limits: { maxInputLength: 4 * 1024 * 1024, maxDepth: 200 },
  })
  return withoutGaps(text).trim()
}

/** With one empty line at most between two others. A line of spaces alone, as a spacer makes, is empty. */
function withoutGaps(text: string): string {
  const lineTexts: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() !== '') lineTexts.push(line)
    else if (lineTexts.at(-1) !== '') lineTexts.push('')
  }
  return lineTexts.join('\n')
}

/** Elements that begin a line of their own in a browser, and that the library takes as inline. */
const lines =
  'address caption center dd details dl dt fieldset figcaption figure hgroup legend menu optgroup option summary tr'.split(
    ' ',
  )

/** The next sibling that is no comment. */
function nextShown(element: TextElement): TextElement | null {
  let next = element.next
  while (next?.type === 'comment') next = next.next
  return next
}

function isInLink(element: TextElement): boolean {
  let above = element.parent
  while (above && above.name !== 'a') above = above.parent
  return above !== null
}

/** The rows of a table, whichever parts it has, and words between them, such as those of a loop. */
function rowsOf({ children }: TextElement): TextElement[] {
  return children.flatMap((child) => {
    if (child.type === 'text') return child.data?.trim() ? [child] : []
    if (child.name === 'tr') return [child]
    return ['tbody', 'thead', 'tfoot'].includes(child.name ?? '') ? rowsOf(child) : []
  })
}

interface TextCell {
  text: string
  colspan: number
}

/** A wider entry does not move all others. */
const widestEntry = 44

/** Names at the left; quantities and prices at the right of their columns. */
function alignedRows(rows: readonly TextCell[][]): string {
  const widths: number[] = []
  for (const cells of rows) {
    let column = 0
    for (const { text, colspan } of cells) {
      const width = colspan === 1 ? Math.min(text.length, widestEntry) : 0
      widths[column] = Math.max(widths[column] ?? 0, width)
      column += colspan
    }
  }
  const lines = rows.map((cells) => {
    let column = 0
    const texts = cells.map(({ text, colspan }, n) => {
      const [width = 0, next = 0] = widths.slice(column, column + colspan)
      column += colspan
      const whole = colspan === 1 ? width : width + 2 + next
      if (n > 0) return text.padStart(whole)
      return text.length > whole ? `${text}\n${' '.repeat(whole)}` : text.padEnd(whole)
    })
    return texts.join('  ').trimEnd()
  })
  return lines.join('\n')
}
