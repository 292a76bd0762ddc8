/** Content in several languages, as the editor keeps it: each translation is a field of the draft. */
import { bodyFormats, type Content, formatOf, type Translation } from './content.ts'

type TranslationField = `translations.${string}`
type Own = Omit<Content, 'translations'> & { name?: string }

/** Null is a translation that is about to be removed. */
export interface Fields extends Own {
  [field: TranslationField]: Translation | null | undefined
}

export const fieldOf = (tag: string): TranslationField => `translations.${tag}`
export const tagOf = (field: string) => /^translations\.(.+)$/.exec(field)?.[1]

const order = ['subject', 'preheader', 'html', 'mjml', 'text', 'blocks'] as const

/** With its fields in a fixed order and without empty ones, so that the same content is equal. */
export function normal(content: Translation): Translation {
  const given = order.filter((field) => (content[field] ?? '').length > 0)
  return Object.fromEntries(given.map((field) => [field, content[field]])) as Translation
}

export function fieldsOf({ translations = {}, ...own }: Content & { name?: string }): Fields {
  const all = Object.entries(translations)
  return { ...own, ...Object.fromEntries(all.map(([tag, one]) => [fieldOf(tag), normal(one)])) }
}

/** The content in the first language. */
export function ownOf(fields: Fields): Own {
  const own = Object.entries(fields).filter(([field]) => tagOf(field) === undefined)
  return Object.fromEntries(own) as Own
}

/** The translations that are there, by tag. */
export function translationsOf(fields: Fields): Record<string, Translation> {
  const all = Object.entries(fields).flatMap(([field, value]) => {
    const tag = tagOf(field)
    return tag === undefined || !value ? [] : [[tag, value] as const]
  })
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) as Record<string, Translation>
}

export function contentOf(fields: Fields): Content & { name?: string } {
  const translations = translationsOf(fields)
  return { ...ownOf(fields), ...(Object.keys(translations).length > 0 && { translations }) }
}

/** A change as the service takes it: of each translation the parts that changed, null to remove it. */
export function changeOf(changed: Partial<Fields>, stored: Fields): Record<string, unknown> {
  const translations = Object.keys(changed).flatMap((field) => {
    const tag = tagOf(field)
    if (tag === undefined) return []
    const [now, before] = [changed[fieldOf(tag)], stored[fieldOf(tag)]]
    return [[tag, now ? changedParts(now, before ?? {}) : null] as const]
  })
  const own: Record<string, unknown> = { ...ownOf(changed) }
  if (translations.length > 0) own['translations'] = Object.fromEntries(translations)
  return own
}

/** The service drops the text that was written for a former body, unless it is given anew. */
function changedParts(now: Translation, before: Translation): Record<string, unknown> {
  const parts: Record<string, unknown> = {}
  for (const field of order) {
    if (JSON.stringify(now[field]) === JSON.stringify(before[field])) continue
    parts[field] = now[field] ?? (field === 'blocks' ? [] : '')
  }
  if (now.text !== undefined) parts['text'] = now.text
  return parts
}

/** The format of a translation, and while it has no body that of what it was before. */
export function formatIn(translation: Translation, before: Translation | null | undefined) {
  const hasBody = (of: Translation) => bodyFormats.some((format) => of[format] !== undefined)
  const shown = [translation, before ?? {}].find(hasBody)
  return shown && formatOf(shown)
}

export type Lacking = 'subject' | 'preheader' | 'body' | 'text'

/** What the content in the first language has and a translation lacks. */
export function lackingIn(translation: Translation, own: Translation): Lacking[] {
  const bodyOf = ({ blocks, html, mjml }: Translation) => blocks ?? html ?? mjml ?? ''
  const isThere = (of: Translation) => ({
    subject: (of.subject ?? '').trim() !== '',
    preheader: (of.preheader ?? '').trim() !== '',
    body: bodyOf(of).length > 0,
    text: (of.text ?? '').trim() !== '',
  })
  const [has, had] = [isThere(translation), isThere(own)]
  return (['subject', 'preheader', 'body', 'text'] as const).filter(
    (part) => had[part] && !has[part],
  )
}

/** Whether the subject or the body still says the same as in the first language. */
export function isUntranslated(translation: Translation, own: Translation): boolean {
  const bodies = [...bodyFormats, 'subject'] as const
  return bodies.some(
    (field) =>
      (own[field] ?? '').length > 0 &&
      JSON.stringify(translation[field]) === JSON.stringify(own[field]),
  )
}
