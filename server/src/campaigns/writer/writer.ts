/**
 * Turns a brief into a whole draft, and does nothing else: other calls store, approve and send it.
 * A language model writes it, if one is configured; else the draft is a mail of the gallery with the
 * brief's facts. If the model fails, the call is refused with the reason and an offer of the
 * gallery. A draft by another writer than requested would look like a poor one of the model's.
 */

import type { WriterSettings } from '../../config/writer.ts'
import { refuse } from '../../core/errors.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Static } from '../../lib/schema/schema.ts'
import { literal } from '../../templates/gallery/fill.ts'
import type { GalleryLanguage } from '../../templates/gallery/mail.ts'
import { type Brief, type briefInput, briefOf } from './brief.ts'
import type { Copy, Surroundings } from './copy.ts'
import { layOut, type MailSource } from './layout.ts'
import { refusalOf } from './model/failure.ts'
import { isFailure, writeByModel } from './model/write.ts'
import { noteWords } from './notes.ts'
import { wordsOf } from './phrases.ts'
import type { Reading } from './reading.ts'

export const writers = ['model', 'built_in'] as const

export interface Draft {
  writtenBy: (typeof writers)[number]
  /** The model's name. */
  model?: string
  /** The key of the mail in the gallery that it was made of. */
  gallery?: string
  mail: MailSource
  /** A template, like the mail. */
  sms: string
  /** The tags of the contacts whom it addresses; empty for everyone who consented. */
  tags: readonly string[]
  /** The brief's audience, if it is not everyone and no tag matches it. */
  unmatched?: string
  notes: readonly string[]
}

export interface DraftWish {
  brief: Static<typeof briefInput>
  around: Surroundings
  /** What the draft is for. The default is a mail. */
  channel?: 'email' | 'sms'
  /** The writer to use. The default is the model, if there is one. */
  writer: (typeof writers)[number] | undefined
  notesIn?: GalleryLanguage | undefined
  /** The arguments of the call, for a refusal that suggests the next call. */
  call: Record<string, unknown>
  /** Called before a model is used, because each of its drafts costs the operator money. */
  admit?: () => Promise<void>
}

export interface Writer {
  /** The writer that is used by default. */
  hand: (typeof writers)[number]
  write(wish: DraftWish): Promise<Draft>
}

export interface WriterDeps {
  settings: WriterSettings | undefined
  outbound: () => Promise<Pick<Outbound, 'fetch'>>
  log: Pick<Log, 'info' | 'warn'>
  answerMs?: number
}

export function createWriter({ settings, outbound, log, answerMs }: WriterDeps): Writer {
  const byModel = async (
    brief: Brief,
    { around, call, admit }: DraftWish,
    model: WriterSettings,
  ): Promise<Draft> => {
    await admit?.()
    const deps = { settings: model, outbound, log, ...(answerMs !== undefined && { answerMs }) }
    const copy = await writeByModel(deps, brief, around)
    if (isFailure(copy)) throw refusalOf(copy, call)
    const mail = layOut(copy, around)
    const draft = { mail, sms: literal(copy.sms), tags: copy.tags, notes: [] }
    return { ...draft, ...unmatchedIn(brief, copy.tags), writtenBy: 'model', model: model.model }
  }

  return {
    hand: settings ? 'model' : 'built_in',
    async write(wish) {
      const { around, writer } = wish
      const brief = briefOf(wish.brief, around.business.language)
      // The words of three languages and the gallery are loaded with the first brief.
      const { readBrief } = await import('./reading.ts')
      const reading = readBrief(brief)
      if (reading.aim === 'automation') throw isAutomation(noteWords(wish.notesIn))
      if (settings && writer !== 'built_in') return byModel(brief, wish, settings)
      const noModel = writer === 'model' ? [noteWords(wish.notesIn).noModel] : []
      const draft = await fromGallery(brief, reading, wish)
      return { ...draft, notes: [...noModel, ...draft.notes] }
    },
  }
}

async function fromGallery(
  brief: Brief,
  reading: Reading,
  { around, channel = 'email', notesIn }: DraftWish,
): Promise<Draft> {
  const { draftFromGallery, textFromBrief } = await import('./from-gallery.ts')
  const { sender, business } = around
  const tags = tagsFor(brief.audience, around.tags)
  const words = noteWords(notesIn)
  const draft = draftFromGallery(reading, { text: brief.text, sender, notesIn })
  const { sms, notes } = textFromBrief(reading, { sender, channel, notesIn })
  if (!draft && (channel === 'email' || reading.aim === 'none')) throw nothingFits(words)
  const other =
    channel === 'email' && !business.language.startsWith(reading.language)
      ? [words.otherLanguage(reading.language, business.language)]
      : []
  const tone = channel === 'email' && brief.tone !== '' ? [words.tone(brief.tone)] : []
  const mail = draft
    ? { subject: draft.subject, preheader: draft.preheader, blocks: draft.blocks }
    : { subject: reading.topic || business.name, preheader: '', blocks: [] }
  return {
    writtenBy: 'built_in',
    ...(draft && channel === 'email' && { gallery: draft.mail.key }),
    mail,
    sms: literal(sms),
    tags,
    ...unmatchedIn(brief, tags),
    notes: [...(channel === 'email' ? (draft?.notes ?? []) : []), ...notes, ...other, ...tone],
  }
}

/** A brief for what is sent by itself, at each person’s own time. */
function isAutomation({ isAutomation: text }: ReturnType<typeof noteWords>) {
  return refuse('invalid_request', text, {
    field: 'brief',
    fix: { tool: 'template.gallery', arguments: {} },
    data: { reason: 'automation' },
  })
}

function nothingFits({ nothingFits: text }: ReturnType<typeof noteWords>) {
  return refuse('invalid_request', text, {
    field: 'brief',
    fix: { tool: 'template.gallery', arguments: {} },
    data: { reason: 'no_match' },
  })
}

const commonTags = new Set([
  'customers',
  'people',
  'everyone',
  'contacts',
  'all',
  'our',
  'the',
  'and',
])

/**
 * Finds which of the business's tags an audience in words refers to. A tag matches where the
 * audience contains all of its words.
 */
function tagsFor(audience: string, tags: readonly string[]): string[] {
  const named = new Set(stems(audience))
  return tags.filter((tag) => {
    const words = stems(tag)
    const isCommon = commonTags.has(tag.toLowerCase())
    return words.length > 0 && !isCommon && words.every((word) => named.has(word))
  })
}

/** The words in the form in which they are compared: lower case, no accents, no plural. */
function stems(text: string): string[] {
  return wordsOf(text).map(({ plain }) =>
    plain.length > 3 ? plain.replace(/(?:ies|es|s)$/, '') : plain,
  )
}

/** Words of which an audience consists that means everyone. */
const everyone = new Set(
  'everyone everybody all our my the of contacts subscribers people list'.split(' '),
)

function unmatchedIn({ audience }: Brief, tags: Copy['tags']): { unmatched?: string } {
  if (audience === '' || tags.length > 0) return {}
  const words = audience.toLowerCase().split(' ')
  return words.every((word) => everyone.has(word)) ? {} : { unmatched: audience }
}
