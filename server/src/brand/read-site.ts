/**
 * Reads from a business's own site what its brand could be: name, colours, pictures. All of it is a
 * stranger's text: it is bounded, scanned once from its beginning to its end, never run, and shown to a
 * person, who decides. Nothing is stored.
 */
import { refuse } from '../core/errors.ts'
import { operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import type { Lazy } from '../lib/concurrency/lazily.ts'
import type { Outbound } from '../lib/http-client/outbound-fetch.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { singleLine } from '../lib/text/single-line.ts'
import { checkFetchedAddress } from '../sender-domains/senders/fetched-address.ts'

export const siteLimits = {
  urlLength: 2_000,
  pageBytes: 512 * 1024,
  styleBytes: 256 * 1024,
  stylesheets: 3,
  redirects: 3,
  /** Milliseconds of each request to the end of its headers, and from there to the end of its body. */
  requestMs: 4_000,
  /** Reads that may be under way at a time. */
  atOnce: 8,
  tags: 2_000,
  tagLength: 4_000,
  nameLength: 100,
  colours: 8,
  /** Colours that are counted. */
  counted: 20_000,
  pictures: 6,
} as const

const site = {
  url: Type.String(),
  name: Type.Optional(Type.String()),
  colours: Type.Array(Type.String()),
  pictures: Type.Array(
    Type.Object({ kind: Type.Enum(['logo', 'icon', 'image']), url: Type.String() }),
  ),
}
const wholeSite = Type.Object(site)
export type Site = Static<typeof wholeSite>

export function brandReadSite({ outbound }: { outbound: Lazy<Outbound> }) {
  const underWay = new Set<string>()
  return operation({
    name: 'brand.read_site',
    title: 'Read a brand from a site',
    area: 'business',
    summary:
      'Read name, colours and addresses of pictures from the business’s own site, for a person to choose from: brand.set and image.upload (url) take them. Stores nothing. Strangers may have written it.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'owner',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    rest: 'GET /v1/brand/site',
    input: { url: Type.String({ minLength: 1, maxLength: siteLimits.urlLength }) },
    output: Type.Object({ problem: Type.Optional(Type.String()), untrusted: untrusted(site) }),

    async run(context, { url }) {
      const { business } = context
      const action = 'Reading a site'
      await checkFetchedAddress(context, { url, field: 'url', action, page: '/brand' })
      if (underWay.has(business.id) || underWay.size >= siteLimits.atOnce) {
        const text = 'A site is being read just now: read this one in a few seconds.'
        throw refuse('rate_limited', text, { retryAfter: 5 })
      }
      underWay.add(business.id)
      try {
        const { problem, ...read } = await readSite(await outbound.get(), url)
        return { ...(problem !== undefined && { problem }), untrusted: read }
      } finally {
        underWay.delete(business.id)
      }
    },
  })
}

/** Exported for its test. */
export async function readSite(
  outbound: Pick<Outbound, 'fetch'>,
  typed: string,
): Promise<Site & { problem?: string }> {
  const address = typed.includes('://') ? typed : `https://${typed}`
  const page = await fetchText(outbound, address, {
    bytes: siteLimits.pageBytes,
    accept: 'text/html',
  })
  if ('fault' in page) return { problem: page.fault, url: address, colours: [], pictures: [] }
  const found = findIn(page.text, page.url)
  const sheets = await Promise.all(
    found.stylesheets.map((url) =>
      fetchText(outbound, url, { bytes: siteLimits.styleBytes, accept: 'text/css' }),
    ),
  )
  const styles = sheets.map((sheet) => ('text' in sheet ? sheet.text : ''))
  const counted = coloursIn([found.styles, ...styles].join('\n'))
  const colours = [...new Set([...found.themeColours, ...counted])].slice(0, siteLimits.colours)
  return {
    url: page.url,
    ...(found.name !== '' && { name: found.name }),
    colours,
    pictures: found.pictures,
  }
}

interface FetchedText {
  url: string
  text: string
}

/** Each address passes the guard anew, so that no redirect leads where none may go. */
async function fetchText(
  outbound: Pick<Outbound, 'fetch'>,
  address: string,
  { bytes, accept }: { bytes: number; accept: string },
): Promise<FetchedText | { fault: string }> {
  let url = address
  for (let hop = 0; hop <= siteLimits.redirects; hop++) {
    const answer = await outbound.fetch({
      url,
      headers: { accept, 'user-agent': 'Crier (reads a brand for its owner)' },
      deadlineMs: siteLimits.requestMs,
      bodyMs: siteLimits.requestMs,
      maxBytes: bytes,
    })
    if (answer.outcome === 'failed') {
      const { refusal, reason } = answer
      if (refusal && hop === 0 && accept === 'text/html') {
        throw refuse('invalid_request', refusal.message, {
          field: 'url',
          data: { reason: 'site_unreachable' },
        })
      }
      return { fault: refusal?.message ?? `No page came from there (${reason}).` }
    }
    const { status, headers, body } = answer
    const target = [headers['location']].flat()[0]
    if (status >= 300 && status < 400 && target !== undefined && URL.canParse(target, url)) {
      url = new URL(target, url).href
      continue
    }
    if (status !== 200) return { fault: `The site answered ${status}.` }
    const type = `${[headers['content-type']].flat()[0] ?? accept}`
    if (!type.startsWith(accept)) return { fault: 'This address does not return a web page.' }
    return { url, text: body.toString() }
  }
  return { fault: `The site redirects more than ${siteLimits.redirects} times.` }
}

interface SiteParts {
  name: string
  themeColours: string[]
  pictures: Site['pictures']
  stylesheets: string[]
  /** The text of its style elements, and of style attributes nothing. */
  styles: string
}

function findIn(page: string, base: string): SiteParts {
  const names: string[] = []
  const themeColours: string[] = []
  const pictures: Site['pictures'] = []
  const stylesheets: string[] = []
  const styles: string[] = []
  const addPicture = (kind: Site['pictures'][number]['kind'], written: string | undefined) => {
    const url = addressIn(written, base)
    if (url !== undefined && !pictures.some((picture) => picture.url === url)) {
      pictures.push({ kind, url })
    }
  }
  for (const { name, attributes, text } of tagsIn(page)) {
    const content = attributes.get('content') ?? ''
    const property = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase()
    const rel = (attributes.get('rel') ?? '').toLowerCase()
    const href = attributes.get('href')
    if (name === 'title') names.push(unescaped(text.slice(0, siteLimits.tagLength)))
    if (name === 'style') styles.push(text)
    if (name === 'meta' && property === 'og:site_name') names.unshift(content)
    if (name === 'meta' && property === 'og:image') addPicture('image', content)
    if (name === 'meta' && property === 'theme-color')
      themeColours.push(...coloursIn(`:${content}`))
    if (name === 'link' && rel.split(' ').includes('stylesheet')) {
      const url = addressIn(href, base)
      if (url !== undefined && stylesheets.length < siteLimits.stylesheets) stylesheets.push(url)
    }
    if (name === 'link' && rel.includes('icon')) addPicture('icon', href)
    if (name === 'img' && saysLogo(attributes)) addPicture('logo', attributes.get('src'))
  }
  const order = ['logo', 'icon', 'image']
  return {
    name: singleLine(names.find((text) => text.trim() !== '') ?? '').slice(
      0,
      siteLimits.nameLength,
    ),
    themeColours,
    pictures: pictures
      .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
      .slice(0, siteLimits.pictures),
    stylesheets,
    styles: styles.join('\n'),
  }
}

const saysLogo = (attributes: ReadonlyMap<string, string>) =>
  ['src', 'class', 'id', 'alt'].some((key) =>
    (attributes.get(key) ?? '').toLowerCase().includes('logo'),
  )

/** An address that `image.upload` can take. It takes no SVG, which may hold programs. */
function addressIn(written: string | undefined, base: string): string | undefined {
  if (!written || written.length > siteLimits.urlLength || !URL.canParse(written, base))
    return undefined
  const url = new URL(written, base)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && !url.pathname.toLowerCase().endsWith('.svg') ? url.href : undefined
}

interface Tag {
  name: string
  attributes: Map<string, string>
  /** What stands between a title's or style's tags. */
  text: string
}

const readTags = new Set(['title', 'style', 'meta', 'link', 'img'])

/** The first tags that matter. Each character is looked at a constant number of times. */
function* tagsIn(page: string): Generator<Tag> {
  let count = 0
  for (let at = page.indexOf('<'); at >= 0; at = page.indexOf('<', at + 1)) {
    const name = wordAt(page, at + 1)
    if (!readTags.has(name)) continue
    if (count++ >= siteLimits.tags) return
    const { attributes, end } = attributesAt(page, at + 1 + name.length)
    // The next search begins behind the text, so that no part of the page is searched twice.
    const text = name === 'title' || name === 'style' ? textUntil(page, end, `</${name}`) : ''
    yield { name, attributes, text }
    at = end + text.length - 1
  }
}

const longestWord = 30

function wordAt(text: string, from: number): string {
  let end = from
  while (end < from + longestWord && isLetter(text.charCodeAt(end))) end++
  return text.slice(from, end).toLowerCase()
}

const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122

/** The attributes from here to the end of the tag. */
function attributesAt(
  page: string,
  from: number,
): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  const last = Math.min(page.length, from + siteLimits.tagLength)
  let at = from
  while (at < last && page[at] !== '>') {
    let end = at
    while (end < last && !' \t\r\n\f/>=\'"'.includes(page[end] ?? '')) end++
    if (end === at) {
      at++
      continue
    }
    const key = page.slice(at, end).toLowerCase()
    at = end
    if (page[at] !== '=') continue
    at++
    const quote = page[at] === '"' || page[at] === "'" ? page[at] : undefined
    if (quote !== undefined) at++
    end = at
    const isEnd = (sign: string) =>
      quote === undefined ? ' \t\r\n\f>'.includes(sign) : sign === quote
    while (end < last && !isEnd(page[end] ?? '')) end++
    if (!attributes.has(key)) attributes.set(key, unescaped(page.slice(at, end)))
    at = quote === undefined ? end : end + 1
  }
  return { attributes, end: at + 1 }
}

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

function textUntil(page: string, from: number, sign: string): string {
  const end = page.indexOf(sign, from)
  return page.slice(from, end < 0 ? page.length : end)
}

/** The colours of style sheets as `#rrggbb`: those that are no shade of grey, the most frequent first. */
export function coloursIn(styles: string): string[] {
  const counts = new Map<string, number>()
  let left: number = siteLimits.counted
  for (let at = styles.indexOf('#'); at >= 0 && left > 0; at = styles.indexOf('#', at + 1)) {
    left--
    let end = at + 1
    while (end < at + 10 && isHex(styles.charCodeAt(end))) end++
    const digits = styles.slice(at + 1, end).toLowerCase()
    // A selector such as #face has its rules after it, or more of its name.
    const after = styles[end] === ' ' ? styles[end + 1] : styles[end]
    const isSelector = isWord(styles.charCodeAt(end)) || '{.[:>'.includes(after || 'x')
    const isValue = ': ,('.includes(styles[at - 1] || 'x') && !isSelector
    const colour = isValue ? wholeColour(digits) : undefined
    if (colour !== undefined) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts]
    .filter(([colour]) => isChromatic(colour))
    .toSorted((a, b) => b[1] - a[1])
    .map(([colour]) => colour)
    .slice(0, siteLimits.colours)
}

const isHex = (code: number) =>
  (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102)
const isWord = (code: number) =>
  isLetter(code) || (code >= 48 && code <= 57) || code === 45 || code === 95

function wholeColour(digits: string): string | undefined {
  if (digits.length === 6 || digits.length === 8) return `#${digits.slice(0, 6)}`
  if (digits.length !== 3 && digits.length !== 4) return undefined
  const [red = '', green = '', blue = ''] = digits.split('')
  return `#${red}${red}${green}${green}${blue}${blue}`
}

/** How far apart the parts of a colour are that is more than a shade of grey. */
const leastChroma = 24

function isChromatic(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(colour.slice(at, at + 2), 16),
  )
  return Math.max(red, green, blue) - Math.min(red, green, blue) >= leastChroma
}
