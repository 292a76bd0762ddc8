/**
 * How a field of an input is written in places that hold only text, such as a query string or a
 * command line.
 */
import type { TSchema } from '../lib/schema/schema.ts'

/** A `list` is a text given several times. `json` is for values without a simpler form. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'json'

interface Shape {
  type?: string
  enum?: readonly unknown[]
  items?: TSchema
}

export function fieldKind(schema: TSchema): FieldKind {
  const { type, enum: choices, items } = schema as Shape
  if (type === 'string' || choices?.every((choice) => typeof choice === 'string')) return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  return type === 'array' && items && fieldKind(items) === 'text' ? 'list' : 'json'
}
