/** A template as its author writes it. */
import { type Refusal, refuse } from '../core/errors.ts'
import type { Block } from './blocks/block.ts'

export const templateChannels = ['email', 'sms'] as const
export type TemplateChannel = (typeof templateChannels)[number]

export interface EmailSource extends Translated<EmailContent>, EmailContent {}

/** A mail in one language. */
export interface EmailContent {
  subject: string
  /** The text that mailboxes show beside the subject. */
  preheader?: string
  /** Either HTML, MJML or blocks, or only text. */
  html?: string
  mjml?: string
  blocks?: Block[]
  /** Derived from the HTML if it is missing. */
  text?: string
}

export interface SmsSource extends Translated<SmsContent>, SmsContent {}

export interface SmsContent {
  text: string
}

interface Translated<Content> {
  /** The same in other languages, by canonical BCP 47 tag. */
  translations?: Readonly<Record<string, Content>>
}

export type TemplateSource = EmailSource | SmsSource

export const partNames = ['subject', 'preheader', 'html', 'mjml', 'text'] as const
export type Part = (typeof partNames)[number]

export const templateLimits = {
  nameLength: 200,
  keyLength: 64,
  /** The most tags of one template, and the most characters of each. */
  tags: 20,
  tagLength: 50,
  subjectLength: 500,
  preheaderLength: 500,
  /** The most characters of HTML, MJML or text. */
  bodyLength: 256 * 1024,
  smsLength: 1_600,
  /** Characters of a language tag. */
  languageLength: 35,
  /** Languages beside the first. */
  translations: 20,
  /** The most characters of all translations, as JSON. */
  translationsLength: 1024 * 1024,
  /** The most characters of a rendered part. Mailboxes cut mail beyond 102 kB anyway. */
  renderedLength: 1024 * 1024,
  /** Milliseconds of a thread's processor time that a check may use, its previews included. */
  checkMs: 1_000,
  /** The same limit for other requests about a template, such as a first render. */
  deadlineMs: 800,
  /** The same limit for a template that was quick before. */
  renderMs: 250,
  /** A template that takes longer is rendered where quick templates do not wait for it. */
  quickMs: 50,
  /** Milliseconds of the thread of checks that a business may use in a minute. */
  checksMsPerMinute: 20_000,
  /** For businesses younger than this, together, the same limit holds once more. */
  youngMs: 24 * 60 * 60_000,
  /**
   * After a check or preview was stopped, those of this business wait for all others for this long,
   * and have this many milliseconds each.
   */
  afterStop: { ms: 60_000, deadlineMs: 200 },
  /** Checks and previews that may wait for their turn: of one business, and of all businesses. */
  checksWaiting: { each: 64, all: 1_024 },
  /** The same for mail that is rendered. It is more than the jobs of one process hold. */
  mailsWaiting: { each: 4_096, all: 16_384 },
} as const

const lengths: Record<Part, number> = {
  subject: templateLimits.subjectLength,
  preheader: templateLimits.preheaderLength,
  html: templateLimits.bodyLength,
  mjml: templateLimits.bodyLength,
  text: templateLimits.bodyLength,
}

export function isEmail(source: TemplateSource): source is EmailSource {
  return 'subject' in source
}

/** The existing parts, in a fixed order. */
export function partsOf(source: TemplateSource): [Part, string][] {
  const texts = source as Partial<Record<Part, string>>
  return partNames.flatMap((part) => (texts[part] === undefined ? [] : [[part, texts[part]]]))
}

/** Checks the combination of the parts. Compiling checks the content of each part. */
export function checkSource(source: TemplateSource): Refusal | undefined {
  for (const [part, text] of partsOf(source)) {
    const maxLength = isEmail(source) ? lengths[part] : templateLimits.smsLength
    if (text.length > maxLength)
      return no(part, `must be at most ${maxLength} characters.`, {
        reason: 'too_long',
        limit: maxLength,
      })
  }
  if (!isEmail(source)) {
    return source.text.trim() === ''
      ? no('text', 'is missing: what the message says.', { reason: 'missing' })
      : undefined
  }
  const { subject, html, mjml, blocks, text } = source
  if (subject.trim() === '')
    return no('subject', 'is missing: an email needs one.', { reason: 'subject_missing' })
  const bodies = Object.entries({ html, mjml, blocks }).filter(([, body]) => body !== undefined)
  const [first, second] = bodies.map(([name]) => name)
  if (second !== undefined) {
    return no(second, `and ${first} are both there: one of them becomes the message.`, {
      reason: 'one_of',
    })
  }
  if (blocks === undefined && (html ?? mjml ?? text ?? '').trim() === '') {
    return no('html', 'is missing: an email needs html, mjml, blocks or text.', {
      reason: 'content_missing',
    })
  }
  return undefined
}

function no(
  part: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${part} ${rule}`, { field: part, data })
}

/**
 * Whether a feed filled in some of it. Then its subject, words and addresses are strangers' text, in a
 * copy of the issue as in the issue.
 */
export function isOfFeed(source: TemplateSource): boolean {
  if (!isEmail(source)) return false
  return [source, ...Object.values(source.translations ?? {})].some(({ blocks = [] }) =>
    blocks.some((block) => block.type === 'feed' && block.items !== undefined),
  )
}
