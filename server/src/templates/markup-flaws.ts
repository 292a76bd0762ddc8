/** Flaws of a mail's HTML. Its whole text is read once for each kind. */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { type FoundLink, findImages, findLinks } from '../lib/email/find-links.ts'

const mostShown = 3
const shownLength = 100

/** Addresses that work on a web page, and lead nowhere from a mailbox, which has no address itself. */
export async function addressFlaws(html: string): Promise<AddressFlaw[]> {
  // A page may have a megabyte of tags, so each kind gets its own turn of the event loop.
  await turnOfLoop()
  const flaws = flawOf('link', findLinks(html))
  await turnOfLoop()
  return [...flaws, ...flawOf('image', findImages(html))]
}

interface AddressFlaw {
  finding: 'incomplete_links' | 'incomplete_images'
  count: number
  /** The first of them. */
  urls: string[]
  sentence: string
}

function flawOf(noun: 'link' | 'image', links: readonly FoundLink[]): AddressFlaw[] {
  const urls = [...new Set(links.map(({ url }) => url))].filter(leadsNowhere)
  if (urls.length === 0) return []
  const first = urls.slice(0, mostShown).map((url) => url.slice(0, shownLength))
  const quotes = first.map((url) => `“${url}”`)
  const more = urls.length > mostShown ? ` and ${urls.length - mostShown} more` : ''
  const count = urls.length === 1 ? `One ${noun} has` : `${urls.length} ${noun}s have`
  return [
    {
      finding: `incomplete_${noun}s`,
      count: urls.length,
      urls: first,
      sentence: `${count} no complete address and cannot be opened from a mailbox: ${quotes.join(', ')}${more}. Write it with https:// and the host name.`,
    },
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

interface MarkupFlaw {
  finding: 'images_without_alt' | 'several_titles' | 'level_skipped'
  count?: number
  level?: number
  sentence: string
}

export function markupFlaws(html: string): MarkupFlaw[] {
  const levels: number[] = []
  let bare = 0
  const element = /<(?:h([1-6])|img)(?=[\s/>])/gi
  for (let match = element.exec(html); match; match = element.exec(html)) {
    if (match[1] !== undefined) {
      levels.push(Number(match[1]))
      continue
    }
    const end = html.indexOf('>', element.lastIndex)
    if (end < 0) break
    if (!/\salt(?=[\s=/>])/i.test(html.slice(element.lastIndex, end + 1))) bare++
    element.lastIndex = end
  }
  return [...imageFlaws(bare), ...headingFlaws(levels)]
}

function imageFlaws(count: number): MarkupFlaw[] {
  if (count === 0) return []
  const which = count === 1 ? 'One image has no alt' : `${count} images have no alt`
  const sentence = `${which}: say what it shows, or give alt="" where it only decorates.`
  return [{ finding: 'images_without_alt', count, sentence }]
}

function headingFlaws(levels: readonly number[]): MarkupFlaw[] {
  const flaws: MarkupFlaw[] = []
  const count = levels.filter((level) => level === 1).length
  if (count > 1) {
    const sentence = `There are ${count} headings of level 1: keep one, as the title.`
    flaws.push({ finding: 'several_titles', count, sentence })
  }
  const skip = levels.findIndex((level, n) => n > 0 && level > (levels[n - 1] ?? 0) + 1)
  const level = levels[skip]
  if (skip > 0 && level !== undefined) {
    const sentence = `A heading of level ${level} follows one of level ${levels[skip - 1]}: leave no level out.`
    flaws.push({ finding: 'level_skipped', level, sentence })
  }
  return flaws
}
