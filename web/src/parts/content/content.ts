/** What a mail or a text says, as it is written, and the formats of its body. */
import type { Block } from '../blocks/model.ts'

export interface Content {
  subject?: string
  preheader?: string
  html?: string
  mjml?: string
  blocks?: Block[]
  text?: string
  /** By language. */
  translations?: Record<string, Translation>
}

export type Translation = Omit<Content, 'translations'>

export type Channel = 'email' | 'sms'

/** A mail is written in one of these formats. A text message has only text. */
export const bodyFormats = ['blocks', 'html', 'mjml'] as const
export type BodyFormat = (typeof bodyFormats)[number]

export function formatOf({ blocks, mjml, html, text }: Content): BodyFormat {
  if (blocks !== undefined) return 'blocks'
  if (mjml !== undefined) return 'mjml'
  // What says nothing yet begins with blocks.
  return html !== undefined || text !== undefined ? 'html' : 'blocks'
}

/** Of the formats, one is kept: the service replaces the others by it. */
export function inOneFormat<T extends Content>(content: T, format: BodyFormat): T {
  const others = bodyFormats.filter((bodyFormat) => bodyFormat !== format)
  const entries = Object.entries(content).filter(
    ([field]) => !others.some((other) => other === field),
  )
  return Object.fromEntries(entries) as T
}

/** As the service takes them: which fields a type has, the builder knows and the service checks. */
export type { Block as SentBlock } from '@crier-mail/sdk/session'
