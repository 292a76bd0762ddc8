/**
 * Turns a brief into a whole draft, and does nothing else: other calls store, approve and send it.
 * If a configured model fails, the call is refused with the reason and an offer of the built-in
 * writer. A draft by another writer than requested would look like a poor one of the model's.
 */

import type { WriterSettings } from '../../config/writer.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Static } from '../../lib/schema/schema.ts'
import { type Brief, type briefInput, briefOf } from './brief.ts'
import { type Written, type WrittenFor, writeBuiltIn } from './built-in/write.ts'
import type { Surroundings } from './copy.ts'
import { layOut, literal, type MailSource } from './layout.ts'
import { refusalOf } from './model/failure.ts'
import { isFailure, writeByModel } from './model/write.ts'

export const writers = ['model', 'built_in'] as const

export interface Draft {
  writtenBy: (typeof writers)[number]
  /** The model's name. */
  model?: string
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
  channel?: WrittenFor
  /** The writer to use. The default is the model, if there is one. */
  writer: (typeof writers)[number] | undefined
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
    const draft = draftOf({ copy, notes: [] }, around)
    return { ...draft, ...unmatchedIn(brief, copy), writtenBy: 'model', model: model.model }
  }

  return {
    hand: settings ? 'model' : 'built_in',
    async write(wish) {
      const { around, writer } = wish
      const brief = briefOf(wish.brief, around.business.language)
      if (settings && writer !== 'built_in') return byModel(brief, wish, settings)
      const written = writeBuiltIn(brief, around, wish.channel)
      const notes =
        writer === 'model' ? ['No language model is set up here: WRITER_URL names one.'] : []
      const draft = draftOf({ ...written, notes: [...notes, ...written.notes] }, around)
      return { ...draft, ...unmatchedIn(brief, written.copy), writtenBy: 'built_in' }
    },
  }
}

function draftOf({ copy, notes }: Written, around: Surroundings): Omit<Draft, 'writtenBy'> {
  return { mail: layOut(copy, around), sms: literal(copy.sms), tags: copy.tags, notes }
}

/** Words of which an audience consists that means everyone. */
const everyone = new Set(
  'everyone everybody all our my the of contacts subscribers people list'.split(' '),
)

function unmatchedIn({ audience }: Brief, { tags }: Written['copy']): { unmatched?: string } {
  if (audience === '' || tags.length > 0) return {}
  const words = audience.toLowerCase().split(' ')
  return words.every((word) => everyone.has(word)) ? {} : { unmatched: audience }
}
