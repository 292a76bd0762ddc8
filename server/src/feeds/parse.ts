/**
 * Reads RSS, Atom, RDF and JSON Feed as blogs publish them. What is read is text of strangers: each
 * item comes out as plain lines with an address that is http or https. A document is read from its
 * beginning to its end, in slices, and never holds more than the limits allow.
 */
import { createHash } from 'node:crypto'
import { Parser } from 'htmlparser2'
import { excerpt } from '../lib/text/excerpt.ts'
import { isObject } from '../lib/text/i-json.ts'
import { singleLine } from '../lib/text/single-line.ts'
import type { Mapping } from './mapping.ts'
import { NotAFeed, parseLimits, type RawFeed, type RawItem } from './raw-feed.ts'

export interface FeedItem {
  title: string
  url: string
  text?: string
  /** An https address. */
  image?: string
  author?: string
  /** ISO 8601, UTC. */
  published?: string
  /** As the document writes it. */
  price?: string
  /** Its code in ISO 4217. */
  currency?: string
}

export interface ReadItem {
  item: FeedItem
  /** The hash of the id that the feed gives it. */
  guidHash: Buffer
  /** The hash of its title and link. */
  twinHash: Buffer
}

export interface ReadFeed {
  title: string
  /** Newest first. */
  items: ReadItem[]
}

interface Document {
  body: Buffer
  contentType: string
  /** Where it was found, for addresses that are relative. */
  url: string
}

export async function parseFeed(
  { body, contentType, url }: Document,
  mapping?: Mapping,
): Promise<ReadFeed> {
  const text = decode(body, contentType)
  const raw = await readDocument(text, mapping)
  const base = URL.canParse(raw.link, url) ? new URL(raw.link, url).href : url
  const items: ReadItem[] = []
  for (const item of raw.items) {
    items.push(...plainItem(item, base))
    await turnOfOthers()
  }
  return { title: plainLine(raw.title, parseLimits.titleLength), items: newest(items) }
}

async function readDocument(text: string, mapping: Mapping | undefined): Promise<RawFeed> {
  if (mapping) return (await import('./mapped-items.ts')).readMapped(text, mapping)
  const start = text.slice(0, 1_000).trimStart()
  return start.startsWith('{') ? readJson(text) : readXml(text)
}

/** By date where all have one, else in the order of the document. */
function newest(items: readonly ReadItem[]): ReadItem[] {
  const seen = new Set<string>()
  const distinct = items.filter(({ guidHash, twinHash }) => {
    const keys = [`guid ${guidHash.toString('hex')}`, `twin ${twinHash.toString('hex')}`]
    const isNew = !keys.some((key) => seen.has(key))
    for (const key of keys) seen.add(key)
    return isNew
  })
  const isDated = distinct.every(({ item }) => item.published !== undefined)
  const sorted = isDated
    ? distinct.toSorted((a, b) => (b.item.published ?? '').localeCompare(a.item.published ?? ''))
    : distinct
  return sorted.slice(0, parseLimits.items)
}

/** The encoding that the server names, else that of the document, else UTF-8. */
function decode(body: Buffer, contentType: string): string {
  const head = body.subarray(0, 200).toString('latin1')
  const charset =
    /charset="?([\w-]{1,40})/i.exec(contentType)?.[1] ??
    /<\?xml[^>]{0,150}encoding=["']([\w-]{1,40})/i.exec(head)?.[1]
  const mark = body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined
  try {
    return new TextDecoder(mark ?? charset ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder('utf-8').decode(body)
  }
}

const slice = 64 * 1024

const turnOfOthers = () => new Promise((resume) => setImmediate(resume))

/** Elements of an item, by their name without its prefix, except where the prefix tells them apart. */
const fieldOf: Readonly<Record<string, keyof RawItem>> = {
  guid: 'guid',
  id: 'guid',
  'dc:identifier': 'guid',
  title: 'title',
  link: 'link',
  'content:encoded': 'html',
  content: 'html',
  'xhtml:body': 'html',
  description: 'summary',
  summary: 'summary',
  'itunes:summary': 'summary',
  'media:description': 'summary',
  'dc:creator': 'author',
  author: 'author',
  'itunes:author': 'author',
  pubdate: 'date',
  published: 'date',
  'dc:date': 'date',
  'atom:published': 'date',
}

/** The element whose words are being read. */
interface Field {
  key: keyof RawItem | 'feed.title' | 'feed.link'
  depth: number
  text: string
  /** Within an author's address. */
  isSilent?: boolean
}

async function readXml(text: string): Promise<RawFeed> {
  const feed: RawFeed = { title: '', link: '', items: [] }
  let root: string | undefined
  let item: RawItem | undefined
  let path: string[] = []
  let field: Field | undefined
  let updated: string | undefined
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        root ??= name
        path.push(name)
        if (path.length > parseLimits.depth) throw new NotAFeed('is nested too deeply')
        // XHTML within a field: its tags are part of the field.
        if (field?.key === 'author') {
          field.isSilent = name !== 'name'
          return
        }
        if (field) {
          field.text += ` <${name}${attributesOf(attributes)}>`
          return
        }
        if (name === 'item' || name === 'entry') {
          item = {}
          updated = undefined
          return
        }
        if (!item) {
          if (name === 'title' && path.length <= 3) {
            field = { key: 'feed.title', depth: path.length, text: '' }
          } else if (name === 'link' && path.length <= 3) {
            const { href, rel = 'alternate' } = attributes
            if (href !== undefined && rel === 'alternate') feed.link ||= href
            else if (href === undefined) field = { key: 'feed.link', depth: path.length, text: '' }
          }
          return
        }
        // What an item was taken from has a link and a title of its own, and so has its picture.
        if (path.slice(0, -1).some((part) => part === 'source' || part === 'image')) return
        readAttributes(item, name, attributes)
        const key =
          fieldOf[name] ?? (name === 'updated' || name === 'modified' ? 'date' : undefined)
        if (key === undefined || (name === 'link' && attributes['href'] !== undefined)) return
        // The title of a picture is not that of the item.
        if (path.some((part) => part.startsWith('media:')) && name !== 'media:description') return
        field = { key, depth: path.length, text: '' }
      },
      ontext(part) {
        if (field && !field.isSilent && field.text.length < parseLimits.fieldLength) {
          field.text += part
        }
      },
      onclosetag(name) {
        if (field && path.length === field.depth) {
          const { key, text: value } = field
          const words = value.slice(0, parseLimits.fieldLength).trim()
          if (key === 'feed.title') feed.title ||= words
          else if (key === 'feed.link') feed.link ||= words
          else if (item && words !== '') {
            if (name === 'updated' || name === 'modified') updated ??= words
            else item[key] ??= words
          }
          field = undefined
        }
        if (field) field.isSilent = false
        path = path.slice(0, -1)
        if (item && (name === 'item' || name === 'entry')) {
          const date = item.date ?? updated
          feed.items.push({ ...item, ...(date !== undefined && { date }) })
          item = undefined
          if (feed.items.length > parseLimits.itemsLookedAt)
            throw new NotAFeed('has too many items')
        }
      },
    },
    { xmlMode: true, lowerCaseTags: true, decodeEntities: true, recognizeSelfClosing: true },
  )
  for (let at = 0; at < text.length; at += slice) {
    parser.write(text.slice(at, at + slice))
    // Others get their turn: a document of four megabytes takes about a second.
    await turnOfOthers()
  }
  parser.end()
  const isFeed = root === 'rss' || root === 'feed' || root === 'rdf:rdf' || root === 'channel'
  if (!isFeed && feed.items.length === 0) {
    throw new NotAFeed(
      root === 'html' || root === '!doctype' || /<html/i.test(text.slice(0, 2_000))
        ? 'is a web page: give the address of its feed'
        : 'is no RSS, Atom or JSON Feed',
    )
  }
  return feed
}

const attributesOf = (attributes: Record<string, string>) =>
  ['src', 'href']
    .flatMap((name) => {
      const value = attributes[name]
      return value === undefined ? [] : [` ${name}="${value.replaceAll('"', '%22')}"`]
    })
    .join('')

/** Links and pictures stand in attributes. */
function readAttributes(
  item: RawItem,
  name: string,
  { href, url, type = '', medium = '', rel = 'alternate' }: Record<string, string>,
): void {
  if (name === 'link' && href !== undefined) {
    if (rel === 'alternate') item.link ??= href
    if (rel === 'enclosure' && type.startsWith('image/')) item.image ??= href
  }
  const isPicture = type.startsWith('image/') || medium === 'image'
  if (name === 'enclosure' && isPicture && url !== undefined) item.image ??= url
  if (name === 'media:thumbnail' && url !== undefined) item.image ??= url
  if (
    name === 'media:content' &&
    url !== undefined &&
    (isPicture || /\.(jpe?g|png|webp|gif)$/i.test(url))
  ) {
    item.image ??= url
  }
  if (name === 'itunes:image' && href !== undefined) item.image ??= href
}

function readJson(text: string): RawFeed {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new NotAFeed('is JSON with a fault')
  }
  if (!isObject(json) || !Array.isArray(json['items']))
    throw new NotAFeed('is JSON, but no JSON Feed')
  const line = (value: unknown) =>
    typeof value === 'string' ? value.slice(0, parseLimits.fieldLength) : undefined
  const items = json['items'].slice(0, parseLimits.itemsLookedAt).flatMap((entry): RawItem[] => {
    if (!isObject(entry)) return []
    const authors = Array.isArray(entry['authors']) ? entry['authors'] : [entry['author']]
    const [author] = authors
    const id = entry['id']
    const fields = {
      guid: typeof id === 'number' ? `${id}` : line(id),
      title: line(entry['title']),
      link: line(entry['url']) ?? line(entry['external_url']),
      html: line(entry['content_html']),
      summary: line(entry['summary']) ?? line(entry['content_text']),
      image: line(entry['image']) ?? line(entry['banner_image']),
      author: isObject(author) ? line(author['name']) : undefined,
      date: line(entry['date_published']) ?? line(entry['date_modified']),
    }
    return [Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))]
  })
  return { title: line(json['title']) ?? '', link: line(json['home_page_url']) ?? '', items }
}

/** The item as plain lines; nothing for one without an address, which nobody could read. */
function plainItem(raw: RawItem, base: string): ReadItem[] {
  const isAddress = /^https?:\/\//i.test(raw.guid ?? '')
  const url = addressOf(raw.link ?? (isAddress ? raw.guid : undefined), base)
  if (url === undefined) return []
  const body = plainWords(raw.summary ?? raw.html ?? '')
  const text = excerpt(body.words, parseLimits.textLength)
  const title =
    plainLine(raw.title ?? '', parseLimits.titleLength) ||
    excerpt(body.words, 80) ||
    new URL(url).hostname
  const picture = raw.image ?? body.image ?? plainWords(raw.html ?? '').image
  const image = addressOf(picture, base)
  const author = authorOf(raw.author ?? '')
  const price = plainLine(raw.price ?? '', parseLimits.priceLength)
  const at = raw.date === undefined ? undefined : new Date(raw.date)
  const published = at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined
  const item: FeedItem = {
    title,
    url,
    ...(text !== '' && { text }),
    ...(image?.startsWith('https:') && { image }),
    ...(author !== '' && { author }),
    ...(published !== undefined && { published }),
    ...(price !== '' && { price }),
    ...(price !== '' && raw.currency !== undefined && { currency: raw.currency }),
  }
  return [{ item, guidHash: hashOf(raw.guid ?? url), twinHash: twinHashOf(url, title) }]
}

/** RSS has addresses of authors, which no reader needs: `ana@example.com (Ana)`. */
function authorOf(source: string): string {
  const line = plainLine(source, 100)
  const isAddress = line.includes('@') && !line.startsWith('@')
  const name = isAddress ? /\(([^()]{1,100})\)$/.exec(line)?.[1] : undefined
  return name ?? (isAddress && !line.includes(' ') ? '' : line)
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** A blog that moves to https, or drops `www.`, has the same posts. */
function twinHashOf(url: string, title: string): Buffer {
  const { host, pathname, search } = new URL(url)
  const address = `${host.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}${search}`
  return hashOf(`${address}\n${title}`)
}

/** An http or https address without credentials; undefined for any other. */
function addressOf(source: string | undefined, base: string): string | undefined {
  if (source === undefined || source.length > parseLimits.urlLength) return undefined
  const url = URL.parse(source.trim(), base)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '' || url.href.length > parseLimits.urlLength)
    return undefined
  // Braces could be read as Liquid.
  return url.href.replaceAll('{', '%7B').replaceAll('}', '%7D')
}

/** Characters that show nothing, reverse the text beside them, or forge lines. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
const joiner = /[\u200c\u200d]/

/** No word of a stranger is Liquid: a brace before another, or before a percent sign, gets a space. */
const withoutLiquid = (text: string) => text.replace(/\{(?=[{%])/g, '{ ')

function plainLine(source: string, limit: number): string {
  const { words } = plainWords(source)
  return excerpt(words, limit)
}

const silent = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'svg', 'head'])

/** Characters after which the depth of a field's HTML is looked at. */
const wordsSlice = 2_000

/** The words of HTML, and its first picture. Titles of feeds are often HTML, too. */
function plainWords(html: string): { words: string; image?: string } {
  if (!/[<&]/.test(html)) return { words: cleaned(html) }
  let words = ''
  let image: string | undefined
  let hidden = 0
  let depth = 0
  const parser = new Parser({
    onopentagname(name) {
      depth += 1
      if (silent.has(name)) hidden += 1
      words += ' '
    },
    onopentag(name, { src }) {
      if (name === 'img' && src !== undefined && !hidden) image ??= src
    },
    ontext(part) {
      if (hidden === 0 && words.length < 5_000) words += part
    },
    onclosetag(name) {
      depth -= 1
      if (silent.has(name)) hidden = Math.max(0, hidden - 1)
    },
  })
  // The parser looks through all open elements at each end tag: what is nested too deeply is cut off.
  const length = Math.min(html.length, parseLimits.fieldLength)
  for (let at = 0; at < length && depth < parseLimits.depth; at += wordsSlice) {
    parser.write(html.slice(at, Math.min(at + wordsSlice, length)))
  }
  if (depth < parseLimits.depth) parser.end()
  return { words: cleaned(words), ...(image !== undefined && { image }) }
}

function cleaned(text: string): string {
  const visible = text
    .replace(/\s+/g, ' ')
    .replace(unseen, (character) => (joiner.test(character) ? character : ''))
    .toWellFormed()
  return withoutLiquid(singleLine(visible))
}
