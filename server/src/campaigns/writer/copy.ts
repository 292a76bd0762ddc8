/**
 * What a draft says, without its looks: both writers give this, and one layout makes mail of
 * it. A language model therefore writes no markup, no template code and no address of its own.
 */
import { withoutEnd } from '../../lib/text/trim-end.ts'

export interface Section {
  /** Empty for none. */
  heading: string
  paragraphs: readonly string[]
  points: readonly string[]
  button?: { label: string; url: string }
}

export interface Copy {
  subject: string
  /** What mailboxes show beside the subject. */
  preheader: string
  headline: string
  /** The word before the reader's name, such as `Hi`. */
  greeting: string
  /** The greeting of a reader without one; else the same. */
  namelessGreeting?: string
  sections: readonly Section[]
  /** The words above the sender's name. */
  closing: string
  /** The same as a text message, whole: sender, link and how to unsubscribe included. */
  sms: string
  /** Tags of contacts to whom it speaks; none for everyone. */
  tags: readonly string[]
}

export const copyLimits = {
  /** Characters; phones show some 40 of a subject, most programs 70. */
  subject: 90,
  preheader: 140,
  headline: 120,
  greeting: 40,
  heading: 120,
  paragraph: 1_200,
  point: 300,
  label: 40,
  closing: 120,
  sections: 8,
  paragraphs: 6,
  points: 12,
  tags: 10,
  /** Segments of the text message: each costs. */
  smsSegments: 2,
} as const

/** From whom a campaign comes, and whom it can reach. */
export interface Surroundings {
  business: { name: string; language: string }
  /** `#rrggbb`, of buttons; the layout's own where the business has none. */
  colour?: string | null | undefined
  /** The name in the sender's address; the business's where it has none. */
  sender: string
  /** Tags of the business's contacts, the most used first. */
  tags: readonly string[]
}

/** Cut at the end of a word, with an ellipsis, to at most `most` characters. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  const end = cut.lastIndexOf(' ')
  // A pair of surrogates is one letter.
  const kept = end > most / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return `${withoutEnd(kept, /[\s,;:.–-]/)}…`
}
