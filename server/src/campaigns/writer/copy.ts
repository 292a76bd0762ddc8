/**
 * The content of a draft without its layout. Both writers return this, and one layout turns it into
 * mail. So a language model writes no markup, no template code and no addresses.
 */
import { withoutEnd } from '../../lib/text/trim-end.ts'

export interface Section {
  /** Empty where there is no heading. */
  heading: string
  paragraphs: readonly string[]
  points: readonly string[]
  button?: { label: string; url: string }
}

export interface Copy {
  subject: string
  /** The text that mailboxes show beside the subject. */
  preheader: string
  headline: string
  /** The word before the reader's name, such as `Hi`. */
  greeting: string
  /** What stands for the first name of readers who have none. Without it the greeting stands alone. */
  nameless?: string
  sections: readonly Section[]
  /** The words above the sender's name. */
  closing: string
  /** The complete text message: sender, link and how to unsubscribe included. */
  sms: string
  /** Tags of the contacts whom it addresses; empty for everyone. */
  tags: readonly string[]
}

export const copyLimits = {
  /** In characters. Phones show some 40 of a subject, most programs 70. */
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
  /** Segments of the text message, each of which costs money. */
  smsSegments: 2,
} as const

/** The sender of a campaign, and the contacts it can reach. */
export interface Surroundings {
  business: { name: string; language: string }
  /** The name in the sender's address, or the business's where it has none. */
  sender: string
  /** Tags of the business's contacts, the most used first. */
  tags: readonly string[]
}

/** Cut at the end of a word, with an ellipsis, to at most `limit` characters. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const cut = text.slice(0, limit - 1)
  const end = cut.lastIndexOf(' ')
  // A surrogate pair is one letter.
  const whole = end > limit / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return `${withoutEnd(whole, /[\s,;:.–-]/)}…`
}
