/** A mail or a text message of the gallery that a caller chose, with the facts for its slots. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { Type } from '../../lib/schema/schema.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { galleryMail, galleryMails, galleryText, galleryTexts } from './entries.ts'
import { fillMail, fillText } from './fill.ts'
import { type GalleryLanguage, type GalleryMail, galleryLanguages, type Slot } from './mail.ts'
import type { GalleryText } from './texts.ts'

export const slotLimits = { factLength: 2_000, keyLength: 60 } as const

export const galleryInput = Type.Optional(
  Type.String({ maxLength: slotLimits.keyLength, description: 'A key of template.gallery.' }),
)
export const slotsInput = Type.Optional(Type.Record(Type.String(), Type.String()))

export interface ChosenEntry {
  key: string
  channel: 'email' | 'sms'
  title: string
  /** Its own words with the facts in them. */
  content: { subject?: string; preheader?: string; blocks?: unknown[]; text?: string }
  /** Labels and names of required slots that have no fact. */
  empty: string[]
}

interface Choice {
  gallery: string
  slots?: Readonly<Record<string, string>> | undefined
  /** A BCP 47 tag. */
  language: string
}

export function chosenEntry({ gallery, slots = {}, language: tag }: Choice): ChosenEntry {
  const entry = readEntry(gallery)
  checkFacts(entry, slots)
  const language = languageOf(tag)
  const { key } = entry
  const { title } = entry.words[language]
  if (isText(entry)) {
    const { text, empty } = fillText(entry, { language, facts: slots })
    return { key, channel: 'sms', title, content: { text }, empty: labelsOf(empty, language) }
  }
  const { empty, ...content } = fillMail(entry, { language, facts: slots })
  return { key, channel: 'email', title, content, empty: labelsOf(empty, language) }
}

const isText = (entry: GalleryMail | GalleryText): entry is GalleryText => 'text' in entry.words.en

function checkFacts(
  { key, slots }: GalleryMail | GalleryText,
  facts: Readonly<Record<string, string>>,
): void {
  const names = slots.map(({ name }) => name)
  for (const [name, fact] of Object.entries(facts)) {
    const field = `slots.${name}`
    if (!names.includes(name)) {
      const text = `${field} is none of the slots of ${key}: ${names.join(', ')}.`
      throw refuse('invalid_request', text, { field, data: { reason: 'unknown_field' } })
    }
    if (fact.length > slotLimits.factLength) {
      const text = `${field} takes at most ${slotLimits.factLength} characters.`
      throw refuse('invalid_request', text, {
        field,
        data: { reason: 'too_long', limit: slotLimits.factLength },
      })
    }
  }
}

/** `field` is that of the call which has the key. */
export function readEntry(key: string, field = 'gallery'): GalleryMail | GalleryText {
  const entry = galleryMail(key) ?? galleryText(key)
  if (entry) return entry
  throw noSuchEntry(key, field)
}

function noSuchEntry(key: string, field: string): Refusal {
  const keys = [...galleryMails(), ...galleryTexts()].map((entry) => entry.key)
  const near = nearest(key, keys)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  const text = `The gallery has no mail ${JSON.stringify(key.slice(0, 60))}.${hint} template.gallery lists them.`
  return refuse('invalid_request', text, {
    field,
    fix: { tool: 'template.gallery', arguments: {} },
    data: { reason: 'not_in_gallery' },
  })
}

/** The gallery's language for a business: its own, else English. */
export function languageOf(tag: string): GalleryLanguage {
  const [primary = ''] = tag.toLowerCase().split('-', 1)
  return galleryLanguages.find((entry) => entry === primary) ?? 'en'
}

const labelsOf = (empty: readonly Slot[], language: GalleryLanguage): string[] =>
  empty.map(({ name, label }) => `[[${label[language]}]] (${name})`)
