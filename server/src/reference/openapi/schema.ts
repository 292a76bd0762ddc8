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

/** The field of a list's answer that holds the items, where the list has pages. */
export function itemsField(input: Schema, output: Schema): string | undefined {
  const [first] = Object.keys(output.properties ?? {})
  const hasPages =
    'cursor' in (input.properties ?? {}) && 'next_cursor' in (output.properties ?? {})
  if (!hasPages || first === undefined) return undefined
  return output.properties?.[first]?.type === 'array' ? first : undefined
}

/** The name of what a list contains, as programs use it: `Contact` of `contact.list`. */
export function modelName(operation: string): string | undefined {
  const [noun = '', verb] = operation.split('.')
  return verb === 'list' ? pascal(noun) : otherModels[operation]
}

/** The name of one entry of a batch: `EmailSendBatchItem` of `email.send_batch`. */
export const entryName = (operation: string): string => `${pascal(operation)}Item`

const otherModels: Readonly<Record<string, string>> = {
  'domain.status': 'Domain',
  'webhook.deliveries': 'WebhookDelivery',
}

/** `form.submitted` becomes `FormSubmitted`. */
export function pascal(words: string): string {
  return words.replace(/(?:^|[._-])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

export function camel(words: string): string {
  return words.replace(/[._-]([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
