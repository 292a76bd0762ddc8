/** How Liquid is shown among words: a value by its name, everything else as the author's own code. */
import { canvasWords } from '../../words/canvas.ts'

export interface FieldCode {
  /** Such as `contact.first_name`. */
  path: string
  /** What is said where there is no value. */
  fallback: string
}

/** The field of a code that says nothing but a field and what stands in for it. */
export function fieldOf(code: string): FieldCode | undefined {
  const found =
    /^\{\{-?\s*([a-z_][\w.-]*)\s*(?:\|\s*default:\s*(?:"([^"]*)"|'([^']*)')\s*)?-?\}\}$/i.exec(code)
  if (!found?.[1]) return undefined
  return { path: found[1], fallback: found[2] ?? found[3] ?? '' }
}

export function codeOf({ path, fallback }: FieldCode): string {
  const clean = fallback.replaceAll('"', '”').trim()
  return clean === '' ? `{{ ${path} }}` : `{{ ${path} | default: "${clean}" }}`
}

/** What people call a field: `contact.attributes.city` is “city”. */
export function nameOfField(path: string): string {
  const names: Record<string, string> = canvasWords.fields.names
  return names[path] ?? path.replace(/^contact\.(?:attributes\.)?/, '')
}

export function chipName(code: string): string {
  const field = fieldOf(code)
  if (!field) return canvasWords.fields.own
  const name = nameOfField(field.path)
  return field.fallback === '' ? name : canvasWords.fields.or(name, field.fallback)
}
