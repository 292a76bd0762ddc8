/** Values that fit a schema, as fast-check draws them. */
import { fc } from '../../support/properties.ts'
import { nastyKeys } from './nasty.ts'
import type { Schema } from './schema.ts'

export interface Pool {
  /** Ids that exist, of this business and of others; taken where their prefix fits. */
  ids: readonly string[]
  /** Texts that mean something to some operation. */
  words: readonly string[]
  /** Keys that mean something where any key may stand. */
  keys: readonly string[]
}

type Arbitrary = fc.Arbitrary<unknown>

export function valuesOf(schema: Schema, pool: Pool): Arbitrary {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice) => valuesOf(choice, pool)))
  switch (schema.type) {
    case 'string':
      return texts(schema, pool)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return arrays(schema, pool)
    case 'object':
      return objects(schema, pool)
    default:
      throw new Error(`values of ${JSON.stringify(schema)} are not known`)
  }
}

function texts(
  { pattern, minLength = 0, maxLength = 1000 }: Schema,
  { ids, words }: Pool,
): Arbitrary {
  const fits = (text: string) =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern).test(text))
  const known = [...ids, ...words].filter(fits)
  const drawn =
    pattern === undefined
      ? fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) })
      : fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 40) })
  const fitting = drawn.filter(fits)
  return known.length === 0 ? fitting : fc.oneof(fc.constantFrom(...known), fitting)
}

function arrays({ items, minItems = 0, maxItems = 4, uniqueItems }: Schema, pool: Pool): Arbitrary {
  const lengths = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) }
  const item = items ? valuesOf(items, pool) : fc.jsonValue()
  return uniqueItems ? fc.uniqueArray(item, lengths) : fc.array(item, lengths)
}

function objects(schema: Schema, pool: Pool): Arbitrary {
  const { properties = {}, required = [], additionalProperties } = schema
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([key, property]) => [key, valuesOf(property, pool)]),
    ),
    { requiredKeys: required, noNullPrototype: true },
  )
  if (additionalProperties === undefined || additionalProperties === false) return known
  const keys = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...pool.keys) },
    { weight: 1, arbitrary: fc.constantFrom(...nastyKeys) },
  )
  const value =
    additionalProperties === true
      ? fc.oneof(fc.constantFrom(...pool.words), fc.jsonValue({ maxDepth: 2 }))
      : valuesOf(additionalProperties, pool)
  return fc
    .tuple(known, fc.array(fc.tuple(keys, value), { maxLength: 5 }))
    .map(([named, free]) => Object.fromEntries([...free, ...Object.entries(named)]))
}
