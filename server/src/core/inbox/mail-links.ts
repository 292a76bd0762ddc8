import { findLinks } from '../../lib/email/find-links.ts'

/**
 * The links of a mail's text, or of its HTML where the text has none. A text that was made from HTML has
 * the address of a link in square brackets.
 */
export function linksIn({ text, html }: { text: string; html: string | null }): string[] {
  const ofText = [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(({ 0: link, index }) => {
    const end = text[index - 1] === '[' ? link.lastIndexOf(']') : -1
    return end === -1 ? link : link.slice(0, end)
  })
  if (ofText.length > 0) return ofText
  return findLinks(html ?? '').flatMap(({ url }) => (/^https?:/i.test(url) ? url : []))
}
