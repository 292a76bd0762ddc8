/** What a mail or a text says, as it is written, and the ways of writing it. */
import type { Block } from '../blocks/model.ts'

export interface Content {
  subject?: string
  preheader?: string
  html?: string
  mjml?: string
  blocks?: Block[]
  text?: string
}

export type Channel = 'email' | 'sms'

/** A mail is written in one of these ways. A text message has only text. */
export const ways = ['blocks', 'html', 'mjml'] as const
export type Way = (typeof ways)[number]

export function wayOf({ blocks, mjml, html, text }: Content): Way {
  if (blocks !== undefined) return 'blocks'
  if (mjml !== undefined) return 'mjml'
  // What says nothing yet begins with blocks.
  return html !== undefined || text !== undefined ? 'html' : 'blocks'
}

/** Of the ways, one is kept: the service replaces the others by it. */
export function inOneWay<T extends Content>(content: T, way: Way): T {
  const others = ways.filter((one) => one !== way)
  const entries = Object.entries(content).filter(([field]) => !others.some((one) => one === field))
  return Object.fromEntries(entries) as T
}
