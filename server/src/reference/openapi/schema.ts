/** TypeBox schemas are JSON Schema already. This turns them into plain objects of the document. */
import type { TSchema } from '../../lib/schema/schema.ts'
import type { Schema } from '../examples/values.ts'

export function plain(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema)) as Schema
}

/** The schema of an object that has only these properties of another. */
export function picked(schema: Schema, keys: readonly string[]): Schema {
  const { properties = {}, required = [] } = schema
  const requiredKeys = required.filter((key) => keys.includes(key))
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).filter(([key]) => keys.includes(key)),
    ),
    ...(requiredKeys.length > 0 && { required: requiredKeys }),
    additionalProperties: false,
  }
}

/** `form.submitted` becomes `FormSubmitted`. */
export function pascal(words: string): string {
  return words.replace(/(?:^|[._-])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

export function camel(words: string): string {
  return words.replace(/[._-]([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
