/** Flaws of a mail's HTML. Its whole text is read once for each kind. */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { type FoundLink, findImages, findLinks } from '../lib/email/find-links.ts'

const mostShown = 3
const shownLength = 100

/** Addresses that work on a web page, and lead nowhere from a mailbox, which has no address itself. */
export async function addressFlaws(html: string): Promise<string[]> {
  // A page may have a megabyte of tags, so each kind gets its own turn of the event loop.
  await turnOfLoop()
  const flaws = flawOf('link', findLinks(html))
  await turnOfLoop()
  return [...flaws, ...flawOf('image', findImages(html))]
}

function flawOf(noun: string, found: readonly FoundLink[]): string[] {
  const urls = [...new Set(found.map(({ url }) => url))].filter(leadsNowhere)
  if (urls.length === 0) return []
  const shown = urls.slice(0, mostShown).map((url) => `“${url.slice(0, shownLength)}”`)
  const more = urls.length > mostShown ? ` and ${urls.length - mostShown} more` : ''
  const count = urls.length === 1 ? `One ${noun} has` : `${urls.length} ${noun}s have`
  return [
    `${count} no complete address and cannot be opened from a mailbox: ${shown.join(', ')}${more}. Write it with https:// and the host name.`,
  ]
}

/** Relative, without a scheme as in `//example.com`, or a host name alone. */
function leadsNowhere(url: string): boolean {
  if (url === '' || url.startsWith('#')) return false
  const scheme = /^([a-z][a-z0-9+.-]*):(.?)/i.exec(url)
  if (!scheme) return true
  // `www.example.com:8080` has a port and no scheme.
  const [, name = '', next = ''] = scheme
  return /\d/.test(next) && (name.includes('.') || name.toLowerCase() === 'localhost')
}

/** Flaws for people who use a screen reader. */

export function markupFlaws(html: string): string[] {
  const levels: number[] = []
  let bare = 0
  const element = /<(?:h([1-6])|img)(?=[\s/>])/gi
  for (let found = element.exec(html); found; found = element.exec(html)) {
    if (found[1] !== undefined) {
      levels.push(Number(found[1]))
      continue
    }
    const end = html.indexOf('>', element.lastIndex)
    if (end < 0) break
    if (!/\salt(?=[\s=/>])/i.test(html.slice(element.lastIndex, end + 1))) bare++
    element.lastIndex = end
  }
  return [...imageFlaws(bare), ...headingFlaws(levels)]
}

function imageFlaws(bare: number): string[] {
  if (bare === 0) return []
  const which = bare === 1 ? 'One image has no alt' : `${bare} images have no alt`
  return [`${which}: say what it shows, or give alt="" where it only decorates.`]
}

function headingFlaws(levels: readonly number[]): string[] {
  const flaws: string[] = []
  const first = levels.filter((level) => level === 1).length
  if (first > 1) flaws.push(`There are ${first} headings of level 1: keep one, as the title.`)
  const skip = levels.findIndex((level, n) => n > 0 && level > (levels[n - 1] ?? 0) + 1)
  if (skip > 0) {
    flaws.push(
      `A heading of level ${levels[skip]} follows one of level ${levels[skip - 1]}: leave no level out.`,
    )
  }
  return flaws
}
