/** Labels that a message's sender sets: tags and metadata, which its events repeat. */
import { refuse } from '../core/errors.ts'
import { Type } from '../lib/schema/schema.ts'

export interface Labels {
  tags?: string[]
  metadata?: Record<string, string>
  /** Set by the service for messages of a sequence: its id, and the number of the step. */
  sequence_id?: string
  step?: number
}

export const labelLimits = { tags: 10, tagLength: 50, keys: 10, keyLength: 40, valueLength: 200 }

const tag = Type.String({ minLength: 1, maxLength: labelLimits.tagLength })

export const tagInput = Type.Optional(tag)

const metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: labelLimits.valueLength },
  description: `To ${labelLimits.keys} keys; in each event.`,
})

/** The input fields of a call that sends. */
export const labelInputs = {
  tags: Type.Optional(Type.Array(tag, { maxItems: labelLimits.tags, uniqueItems: true })),
  metadata: Type.Optional(metadata),
}

/** The fields of a response. */
export const labelFields = {
  tags: Type.Optional(Type.Array(Type.String(), { description: 'As the sender gave them.' })),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'As the sender gave it.',
    }),
  ),
  sequence_id: Type.Optional(Type.String()),
  step: Type.Optional(Type.Integer()),
}

/** Null if a message has no labels, as most do. */
export function readLabels({ tags = [], metadata = {} }: Labels): Labels | null {
  const keys = Object.keys(metadata)
  if (keys.length > labelLimits.keys) {
    const text = `metadata can have at most ${labelLimits.keys} keys.`
    throw refuse('invalid_request', text, { field: 'metadata' })
  }
  const long = keys.find((key) => key === '' || key.length > labelLimits.keyLength)
  if (long !== undefined) {
    const text = `A key of metadata has 1 to ${labelLimits.keyLength} characters.`
    throw refuse('invalid_request', text, { field: 'metadata' })
  }
  if (tags.length === 0 && keys.length === 0) return null
  return { ...(tags.length > 0 && { tags }), ...(keys.length > 0 && { metadata }) }
}
