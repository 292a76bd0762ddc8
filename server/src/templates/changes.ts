/** The fields of a call that changes a template. Fields that it leaves out stay as they are. */
import { isRefusal, orRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatCharacter, hasUnseen } from '../lib/text/visible-text.ts'
import type { Block } from './blocks/block.ts'
import {
  type EmailContent,
  type Part,
  partNames,
  type SmsContent,
  type TemplateChannel,
  type TemplateSource,
} from './source.ts'

export interface TemplateInput extends Partial<Record<Part, string>> {
  name?: string
  channel?: TemplateChannel
  /** As the caller wrote them. An empty list removes the blocks. */
  blocks?: readonly unknown[]
  /** As the caller wrote them, by language tag. Null removes one. */
  translations?: Readonly<Record<string, unknown>>
}

export interface TemplateDesign {
  name: string
  channel: TemplateChannel
  source: TemplateSource
}

export async function designOf(
  before: TemplateDesign | undefined,
  input: TemplateInput,
): Promise<TemplateDesign> {
  const channel = input.channel ?? before?.channel ?? 'email'
  if (before && channel !== before.channel) {
    throw no('channel', `is ${before.channel} and stays so: make another template.`, {
      reason: 'other_channel',
    })
  }
  const own = await contentOf(before?.source ?? {}, input, channel)
  const translations = input.translations
    ? await translationsOf(before?.source.translations ?? {}, input.translations, channel)
    : before?.source.translations
  const name = input.name ?? before?.name
  if (name === undefined)
    throw no('name', 'is missing: a new template needs one.', { reason: 'missing' })
  if (name !== name.trim() || name === '' || hasUnseen(name)) {
    throw no('name', 'must be one line of text without spaces around it.', { reason: 'one_line' })
  }
  const isTranslated = translations !== undefined && Object.keys(translations).length > 0
  const source = { ...own, ...(isTranslated && { translations }) } as TemplateSource
  return { name, channel, source }
}

async function contentOf(
  before: Parts,
  input: Pick<TemplateInput, Part | 'blocks'>,
  channel: TemplateChannel,
): Promise<EmailContent | SmsContent> {
  const blocks = input.blocks && (await import('./blocks/read.ts')).readBlocks(input.blocks)
  const { blocks: _read, ...texts } = input
  const source = changedSource(before, { ...texts, ...(blocks && { blocks }) })
  const format = formatCharacter(source.subject ?? '')
  if (format)
    throw no('subject', `holds ${format}, which nobody sees: leave that character out.`, {
      reason: 'unseen_characters',
    })
  if (channel === 'email') return { subject: '', ...source }
  const extra = fields.find((field) => field !== 'text' && source[field] !== undefined)
  if (extra)
    throw no(extra, 'is for email: a text message is text alone.', { reason: 'only_email' })
  return { text: source.text ?? '' }
}

/** Each in the order of its tag, so that the same source gives the same JSON. */
async function translationsOf(
  before: NonNullable<TemplateSource['translations']>,
  changes: Readonly<Record<string, unknown>>,
  channel: TemplateChannel,
): Promise<NonNullable<TemplateSource['translations']>> {
  const { readTranslations, tooLong } = await import('./translations/read-translations.ts')
  const read = readTranslations(changes)
  const all = new Map<string, EmailContent | SmsContent>(Object.entries(before))
  for (const [tag, input] of read) {
    if (input === null) {
      all.delete(tag)
      continue
    }
    const content = await orRefusal(() => contentOf(all.get(tag) ?? {}, input, channel))
    if (isRefusal(content)) throw inTranslation(tag, content)
    all.set(tag, content)
  }
  const sorted = Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const fault = tooLong(sorted)
  if (fault) throw fault
  return sorted as NonNullable<TemplateSource['translations']>
}

/** Turns a refusal about a translation into one about the call's `translations` field. */
export function inTranslation(tag: string, { code, message, details }: Refusal): Refusal {
  const field = `translations.${tag}${details.field === undefined ? '' : `.${details.field}`}`
  return refuse(code, `In the translation ${tag}: ${message}`, { ...details, field })
}

function no(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}

/** A notice if a new body replaced the old text, which is now derived from that body. */
export function textReplaced(before: TemplateSource, after: TemplateSource): string[] {
  const had = 'subject' in before && before.text !== undefined
  const has = 'subject' in after && after.text !== undefined
  if (!had || has) return []
  return ['The old text was dropped: the text is made of the new HTML. Give text to write it.']
}

interface Parts extends Partial<Record<Part, string>> {
  blocks?: Block[]
}

const fields = [...partNames, 'blocks'] as const

/** Fields of which a mail has one. A new one replaces the others and the text made for them. */
const bodies = ['html', 'mjml', 'blocks'] as const

/**
 * Parts of a template in one language, and how those that a call gives change them.
 *
 * In a fixed order, so that the same source gives the same JSON.
 */
function changedSource(before: Parts, input: Parts): Parts {
  const source: Parts = {}
  for (const part of partNames) {
    const text = input[part] ?? (isReplaced(part, before, input) ? undefined : before[part])
    if (text !== undefined && text !== '') source[part] = text
  }
  const blocks = input.blocks ?? (isReplaced('blocks', before, input) ? undefined : before.blocks)
  if (blocks !== undefined && blocks.length > 0) source.blocks = blocks
  return source
}

function isReplaced(field: Part | 'blocks', before: Parts, input: Parts): boolean {
  const names = bodies.filter((body) => isGiven(input[body]))
  if (field === 'text') {
    return names.some((body) => JSON.stringify(input[body]) !== JSON.stringify(before[body]))
  }
  return bodies.some((body) => body === field) && names.some((body) => body !== field)
}

const isGiven = (body: string | Block[] | undefined) => body !== undefined && body.length > 0
