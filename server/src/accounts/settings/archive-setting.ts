/** The public archive as callers set and see it. */
import { archiveLimits } from '../../config/archive.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
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
    description: 'Page of sent mail: {on, title, description}.',
  }),
)

export const archiveView = Type.Object({
  on: Type.Boolean(),
  title: Type.Union([Type.String(), Type.Null()]),
  description: Type.Union([Type.String(), Type.Null()]),
  url: Type.String(),
})

export function viewOfArchive(
  { on = false, title, description }: ArchiveSetting,
  url: string,
): Static<typeof archiveView> {
  return { on, title: title ?? null, description: description ?? null, url }
}

/** The archive as a call leaves it. */
export function archiveWith(
  shown: Static<typeof archiveView>,
  { on = shown.on, title, description }: ArchiveSetting,
): Static<typeof archiveView> {
  const said = (text: unknown, now: string | null) =>
    typeof text === 'string' ? singleLine(text) || null : now
  return {
    ...shown,
    on,
    title: said(title, shown.title),
    description: said(description, shown.description),
  }
}

const longest = {
  title: archiveLimits.titleLength,
  description: archiveLimits.descriptionLength,
} as const

/** The setting as JSON, such as `{"on":true,"title":"Letters"}`; null removes a text. */
export function readArchive(given: Record<string, unknown> | undefined): string | Refusal {
  const { on, title, description, ...others } = given ?? { none: true }
  if (Object.keys(others).length > 0 || !(on === undefined || typeof on === 'boolean')) {
    return wrong('archive', 'archive takes on (true or false), title and description.')
  }
  const read: Record<string, unknown> = { ...(on !== undefined && { on }) }
  for (const [key, said] of [
    ['title', title],
    ['description', description],
  ] as const) {
    if (said === undefined) continue
    const line = readLine(key, said)
    if (isRefusal(line)) return line
    read[key] = line
  }
  return JSON.stringify(read)
}

function readLine(key: keyof typeof longest, said: unknown): string | null | Refusal {
  const line = typeof said === 'string' ? singleLine(said) : undefined
  if (line === undefined || line.length > longest[key] || hasUnseen(line)) {
    const rule = `archive.${key} takes one line of at most ${longest[key]} characters.`
    return wrong(`archive.${key}`, rule)
  }
  return line === '' ? null : line
}

function wrong(field: string, message: string): Refusal {
  return refuse('invalid_request', message, { field })
}
