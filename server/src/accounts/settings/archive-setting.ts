/** The public archive as callers set and see it. */
import { archiveLimits } from '../../config/archive.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { singleLine } from '../../lib/text/single-line.ts'
import { hasUnseen } from '../../lib/text/visible-text.ts'
import type { ArchiveSetting } from '../businesses/business.ts'

/**
 * A part that is left out stays; an empty text stands for none. `readArchive` checks the parts, so that
 * the list of tools has room.
 */
export const archiveInput = Type.Optional(
  Type.Unsafe<ArchiveSetting>({
    type: 'object',
    description: 'Public mails: {on, title, description, form_id}.',
  }),
)

export const archiveView = Type.Object({
  on: Type.Boolean(),
  title: Type.Union([Type.String(), Type.Null()]),
  description: Type.Union([Type.String(), Type.Null()]),
  form_id: Type.Union([Type.String(), Type.Null()]),
  url: Type.String(),
})

export function viewOfArchive(
  { on = false, title, description, form_id }: ArchiveSetting,
  url: string,
): Static<typeof archiveView> {
  const texts = { title: title ?? null, description: description ?? null, form_id: form_id ?? null }
  return { on, ...texts, url }
}

/** The archive as a call leaves it. */
export function archiveWith(
  current: Static<typeof archiveView>,
  { on = current.on, ...texts }: ArchiveSetting,
): Static<typeof archiveView> {
  const lineOf = (key: keyof typeof readers) => {
    const text: unknown = texts[key]
    return typeof text === 'string' ? singleLine(text) || null : text === null ? null : current[key]
  }
  const form_id = lineOf('form_id')
  return { ...current, on, title: lineOf('title'), description: lineOf('description'), form_id }
}

const readers = { title: readLine, description: readLine, form_id: readForm } as const
const keys = Object.keys(readers) as (keyof typeof readers)[]

const longest = {
  title: archiveLimits.titleLength,
  description: archiveLimits.descriptionLength,
} as const

/** The setting as JSON, such as `{"on":true,"title":"Letters"}`; null and empty texts remove one. */
export function readArchive(input: Record<string, unknown> | undefined): string {
  const { on, ...texts } = input ?? { none: true }
  const isKnown = Object.keys(texts).every((key) => Object.hasOwn(readers, key))
  if (!isKnown || !(on === undefined || typeof on === 'boolean')) {
    throw wrong('archive', `archive accepts only on (true or false), ${keys.join(', ')}.`)
  }
  const read: Record<string, unknown> = { ...(on !== undefined && { on }) }
  for (const key of keys) {
    const input = texts[key]
    if (input === undefined) continue
    const text = typeof input === 'string' ? singleLine(input) : input
    const value = text === '' || text === null ? null : readers[key](text, key)
    read[key] = value
  }
  return JSON.stringify(read)
}

function readLine(text: unknown, key: string): string {
  const maximum = key === 'title' ? longest.title : longest.description
  if (typeof text === 'string' && text.length <= maximum && !hasUnseen(text)) return text
  throw wrong(
    `archive.${key}`,
    `archive.${key} must be one line of at most ${maximum} characters.`,
    {
      reason: 'one_short_line',
      limit: maximum,
    },
  )
}

/** Whose form it is, and whether it is published, counts when a reader comes. */
function readForm(text: unknown): string {
  if (typeof text === 'string' && parseId('form', text)) return text
  throw wrong(
    'archive.form_id',
    'archive.form_id must be the form_id of a form: form.list has them.',
    { reason: 'form_of_archive' },
  )
}

function wrong(
  field: string,
  message: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', message, { field, data })
}
