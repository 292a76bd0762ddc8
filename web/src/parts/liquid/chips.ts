/** How Liquid is shown among words: a value by its name, everything else as the author's own code. */
import { fieldWords } from '../../words/fields.ts'

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
  const names: Record<string, string> = fieldWords.names
  return names[path] ?? path.replace(/^contact\.(?:attributes\.)?/, '')
}

export function chipName(code: string): string {
  const field = fieldOf(code)
  if (!field) return fieldWords.own
  const name = nameOfField(field.path)
  return field.fallback === '' ? name : fieldWords.or(name, field.fallback)
}

interface Part {
  text: string
  /** A value that differs from person to person. */
  isField: boolean
}

/** The values of a text by their names. Conditions are left out, since they are nothing to read. */
export function partsOf(text: string, businessName: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { start, end } of liquidIn(text)) {
    parts.push({ text: text.slice(at, start), isField: false })
    const code = text.slice(start, end)
    const path = /^\{\{-?\s*([a-z_][\w.-]*)/i.exec(code)?.[1]
    if (path === 'business.name') parts.push({ text: businessName, isField: false })
    else if (path !== undefined) parts.push({ text: nameOfField(path), isField: true })
    else if (code.startsWith('{{')) parts.push({ text: fieldWords.own, isField: true })
    at = end
  }
  parts.push({ text: text.slice(at), isField: false })
  return parts.filter((part) => part.text !== '')
}

/** Where whole pieces of Liquid are in a text. What is not closed is text. */
export function liquidIn(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let at = 0
  for (;;) {
    const start = text.slice(at).search(/\{[{%]/) + at
    if (start < at) return found
    const end = endOfLiquid(text, start)
    if (end === undefined) return found
    found.push({ start, end })
    at = end
  }
}

function endOfLiquid(text: string, start: number): number | undefined {
  const closing = text[start + 1] === '{' ? '}}' : '%}'
  let quote: string | undefined
  for (let at = start + 2; at < text.length; at += 1) {
    const sign = text[at]
    if (quote !== undefined) {
      if (sign === quote) quote = undefined
    } else if (text.startsWith(closing, at)) return at + 2
    else if (sign === '"' || sign === "'") quote = sign
  }
  const plain = text.indexOf(closing, start + 2)
  return plain < 0 ? undefined : plain + 2
}
