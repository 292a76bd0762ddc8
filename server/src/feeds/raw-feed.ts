/** What a document of strangers is read as, within which limits, before it is made plain. */

export const parseLimits = {
  /** Bytes of the document. */
  bytes: 5 * 1024 * 1024,
  /** Items of it that are read; of more, the newest. */
  items: 1_000,
  /** Items of the document that are looked at. */
  itemsLookedAt: 20_000,
  /** How deep its elements may be nested. */
  depth: 100,
  /** Characters. */
  titleLength: 200,
  textLength: 400,
  priceLength: 40,
  urlLength: 1_500,
  /** Characters of one field before it is made plain. */
  fieldLength: 100_000,
} as const

/** The document is no feed; the message says what it is instead. */
export class NotAFeed extends Error {
  override name = 'NotAFeed'
}

/** What an item was read as, before it is made plain. */
export interface RawItem {
  guid?: string
  title?: string
  link?: string
  html?: string
  summary?: string
  image?: string
  author?: string
  date?: string
  price?: string
  currency?: string
}

export interface RawFeed {
  title: string
  link: string
  items: RawItem[]
}
