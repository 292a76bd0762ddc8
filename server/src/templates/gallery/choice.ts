/** A mail of the gallery that a caller chose, with the facts for its slots. */
import { refuse } from '../../core/errors.ts'
import { Type } from '../../lib/schema/schema.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { type FilledMail, fillMail } from './fill.ts'
import { galleryMail, galleryMails } from './gallery.ts'
import { type GalleryLanguage, type GalleryMail, galleryLanguages } from './mail.ts'

export const slotLimits = { factLength: 2_000, keyLength: 60 } as const

export const galleryInput = Type.Optional(
  Type.String({ maxLength: slotLimits.keyLength, description: 'A key of template.gallery.' }),
)
export const slotsInput = Type.Optional(
  Type.Record(Type.String(), Type.String(), { description: 'Facts for its slots, by name.' }),
)

export interface ChosenMail extends FilledMail {
  mail: GalleryMail
  title: string
  /** What its maker should know. */
  notes: string[]
}

interface Choice {
  gallery: string
  slots?: Readonly<Record<string, string>> | undefined
  /** A BCP 47 tag. */
  language: string
}

export function chosenMail({ gallery, slots = {}, language: tag }: Choice): ChosenMail {
  const mail = readMail(gallery)
  const names = mail.slots.map(({ name }) => name)
  for (const [name, fact] of Object.entries(slots)) {
    const field = `slots.${name}`
    if (!names.includes(name)) {
      const text = `${field} is none of the slots of ${mail.key}: ${names.join(', ')}.`
      throw refuse('invalid_request', text, { field })
    }
    if (fact.length > slotLimits.factLength) {
      const text = `${field} takes at most ${slotLimits.factLength} characters.`
      throw refuse('invalid_request', text, { field })
    }
  }
  const language = languageOf(tag)
  const filled = fillMail(mail, { language, facts: slots })
  const { title } = mail.words[language]
  return { ...filled, mail, title, notes: emptyNotes(filled, language) }
}

/** `field` is that of the call which has the key. */
export function readMail(key: string, field = 'gallery'): GalleryMail {
  const mail = galleryMail(key)
  if (mail) return mail
  const near = nearest(
    key,
    galleryMails().map((entry) => entry.key),
  )
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  const text = `The gallery has no mail ${JSON.stringify(key.slice(0, 60))}.${hint} template.gallery lists them.`
  throw refuse('invalid_request', text, {
    field,
    fix: { tool: 'template.gallery', arguments: {} },
  })
}

/** The gallery's language for a business: its own, else English. */
export function languageOf(tag: string): GalleryLanguage {
  const [primary = ''] = tag.toLowerCase().split('-', 1)
  return galleryLanguages.find((entry) => entry === primary) ?? 'en'
}

function emptyNotes({ empty }: FilledMail, language: GalleryLanguage): string[] {
  if (empty.length === 0) return []
  const labels = empty.map(({ name, label }) => `[[${label[language]}]] (${name})`)
  return [
    `These slots have no fact: ${labels.join(', ')}. It cannot be sent before they are filled, or their blocks deleted.`,
  ]
}
