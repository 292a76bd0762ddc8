/**
 * Turns a brief into a whole draft, and does nothing else: other calls store, approve and send it.
 * The draft is a mail of the gallery: a language model fills it, if one is configured; else it has the
 * brief's facts in its slots. If the model fails, the call is refused with the reason and an offer of the
 * gallery. A draft by another writer than requested would look like a poor one of the model's.
 */

import type { WriterSettings } from '../../config/writer.ts'
import { refuse } from '../../core/errors.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Static } from '../../lib/schema/schema.ts'
import { literal } from '../../templates/gallery/fill.ts'
import type { GalleryLanguage, GalleryMail } from '../../templates/gallery/mail.ts'
import { type Brief, type briefInput, briefOf } from './brief.ts'
import type { Copy, Surroundings } from './copy.ts'
import type { MailSource } from './layout.ts'
import type { carryOut } from './model/write.ts'
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
    { brief, reading }: { brief: Brief; reading: Reading },
    request: DraftWish,
    model: WriterSettings,
  ): Promise<Draft> => {
    const { around, call, admit, channel = 'email' } = request
    await admit?.()
    const deps = { settings: model, outbound, log, ...(answerMs !== undefined && { answerMs }) }
    const { mailOf } = await import('./from-gallery.ts')
    const mail = channel === 'email' ? mailOf(reading) : undefined
    if (mail) return fillByModel(deps, { mail, brief, reading, request, model: model.model })
    const { isFailure, refusalOf } = await import('./model/failure.ts')
    const { writeByModel } = await import('./model/write.ts')
    const copy = await writeByModel(deps, brief, around)
    if (isFailure(copy)) throw refusalOf(copy, call)
    const { layOut } = await import('./layout.ts')
    const draft = { mail: layOut(copy, around), sms: literal(copy.sms), tags: copy.tags, notes: [] }
    return { ...draft, ...unmatchedIn(brief, copy.tags), writtenBy: 'model', model: model.model }
  }

  return {
    hand: settings ? 'model' : 'built_in',
    async write(request) {
      const { around, writer } = request
      const brief = briefOf(request.brief, around.business.language)
      // The words of three languages and the gallery are loaded with the first brief.
      const { readBrief } = await import('./reading.ts')
      const reading = readBrief(brief)
      if (reading.aim === 'automation') throw automationWanted(noteWords(request.notesIn))
      if (settings && writer !== 'built_in') return byModel({ brief, reading }, request, settings)
      const noModel = writer === 'model' ? [noteWords(request.notesIn).noModel] : []
      const draft = await fromGallery(brief, reading, request)
      return { ...draft, notes: [...noModel, ...draft.notes] }
    },
  }
}

interface Filling {
  mail: GalleryMail
  brief: Brief
  reading: Reading
  request: DraftWish
  model: string
}

/** A mail of the gallery in the model's words: its slots have the facts of the brief alone. */
async function fillByModel(
  deps: Parameters<typeof carryOut>[0],
  { mail, brief, reading, request, model }: Filling,
): Promise<Draft> {
  const { around, call, notesIn } = request
  const { isFailure, refusalOf } = await import('./model/failure.ts')
  const { carryOut } = await import('./model/write.ts')
  const { taskOfMail } = await import('./model/fill-mail.ts')
  const { language } = reading
  const filled = await carryOut(deps, taskOfMail({ mail, language, brief, around }))
  if (isFailure(filled)) throw refusalOf(filled, call)
  const { subject, preheader, blocks, tags, sms, empty } = filled
  const labels = empty.map(({ label }) => `[[${label[language]}]]`)
  return {
    writtenBy: 'model',
    model,
    gallery: mail.key,
    mail: { subject, preheader, blocks },
    sms: literal(sms),
    tags,
    ...unmatchedIn(brief, tags),
    notes: labels.length > 0 ? [noteWords(notesIn).missing(labels.join(', '))] : [],
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
function automationWanted({ isAutomation: text }: ReturnType<typeof noteWords>) {
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
  const audienceStems = new Set(stems(audience))
  return tags.filter((tag) => {
    const words = stems(tag)
    const isCommon = commonTags.has(tag.toLowerCase())
    return words.length > 0 && !isCommon && words.every((word) => audienceStems.has(word))
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
