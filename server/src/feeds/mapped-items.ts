/** Reads JSON of a shop's or an application's own as a feed, by its mapping. */
import { isObject } from '../lib/text/i-json.ts'
import { isTemplate, type Mapping } from './mapping.ts'
import { NotAFeed, parseLimits, type RawFeed, type RawItem } from './raw-feed.ts'

export function readMapped(text: string, mapping: Mapping): RawFeed {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new NotAFeed('is no JSON')
  }
  const list = mapping.items === undefined ? json : valueAt(json, mapping.items)
  if (!Array.isArray(list)) throw new NotAFeed('has no list where the mapping says')
  const items = list
    .slice(0, parseLimits.itemsLookedAt)
    .flatMap((entry: unknown) => (isObject(entry) ? itemOf(entry, mapping) : []))
  if (list.length > 0 && items.length === 0) {
    throw new NotAFeed('has no title and address where the mapping says')
  }
  return { title: '', link: '', items }
}

/** Nothing for one without a title or an address. */
function itemOf(entry: object, mapping: Mapping): RawItem[] {
  const title = wordsAt(entry, mapping.title)
  const link = isTemplate(mapping.url)
    ? filledAddress(entry, mapping.url)
    : wordsAt(entry, mapping.url)
  if (title === undefined || link === undefined) return []
  const at = (path: string | undefined) => path && wordsAt(entry, path)
  const price = at(mapping.price)
  const parts = {
    guid: at(mapping.id),
    summary: at(mapping.text),
    image: at(mapping.image),
    date: at(mapping.published),
    price,
    currency: price && mapping.currency,
  }
  const present = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '')
  return [{ title, link, ...Object.fromEntries(present) }]
}

/** The address with the values in place of the braces; nothing where one is missing. */
function filledAddress(entry: object, url: string): string | undefined {
  let isWhole = true
  const filled = url.replace(/\{([^{}]*)\}/g, (_, path: string) => {
    const value = wordsAt(entry, path)
    if (value === undefined || value === '') isWhole = false
    // Half of a pair is no character, and no address may have it.
    return encodeURIComponent((value ?? '').toWellFormed())
  })
  return isWhole ? filled : undefined
}

function wordsAt(entry: object, path: string): string | undefined {
  const value = valueAt(entry, path)
  if (typeof value === 'string') return value.slice(0, parseLimits.fieldLength)
  return typeof value === 'number' ? `${value}` : undefined
}

function valueAt(json: unknown, path: string): unknown {
  let value = json
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
