import type MiniSearch from 'minisearch'
import type { Options } from 'minisearch'

/** A part of a page, from a heading to the next. */
export interface Section {
  /** The address with the anchor. */
  id: string
  page: string
  title: string
  /** Empty for what stands before the first heading. */
  heading: string
  about: string
  keywords: string
  body: string
  shelf: string
  /** What its score is multiplied by. */
  weight: number
}

export interface Hit {
  url: string
  title: string
  /** The heading that fits best; empty for the page itself. */
  heading: string
  about: string
  shelf: string
}

export const indexOptions: Options<Section>

export function sectionsFor(
  index: MiniSearch<Section>,
  query: string,
  limit: number,
): Omit<Hit, 'shelf'>[]

export function hitsOf(index: MiniSearch<Section>, query: string, limit: number): Hit[]
