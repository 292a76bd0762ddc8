/** Turns the author's HTML into the HTML and the text that mailboxes show. */
import { convert } from 'html-to-text'
import juice from 'juice'

/** Mailboxes drop style sheets, so rules move to their elements. Media queries stay. */
export function inlined(html: string): string {
  return /<style\b/i.test(html) ? juice(html, { applyWidthAttributes: true }) : html
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
  for (let found = sign.exec(html); found; found = sign.exec(html)) {
    if (found[0] === '>') return sign.lastIndex
    const end = html.indexOf(found[0], sign.lastIndex)
    if (end < 0) return 0
    sign.lastIndex = end + 1
  }
  return 0
}

/** The text of the HTML, with the address of each link after its words. */
export function textOfHtml(html: string): string {
  return convert(html, {
    wordwrap: false,
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'table', options: { uppercaseHeaderCells: false } },
    ],
    limits: { maxInputLength: 4 * 1024 * 1024, maxDepth: 200 },
  }).trim()
}
