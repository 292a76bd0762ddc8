/** What is wrong with arguments is said in our own words, for each rule of each field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { schemaCheck } from 'crier-server/core/schema-check.ts'
import { formPage } from 'crier-server/forms/form-page.ts'
import { blockSchemas } from 'crier-server/templates/blocks/block.ts'
import { catalog } from './support/testbed.ts'

type Schema = Record<string, unknown>

/** A value that breaks one rule of a schema. */
const breaking: Record<string, (limit: never, schema: Schema) => unknown> = {
  type: (type: string) => (['string', 'object'].includes(type) ? 7 : 'a word'),
  enum: () => 'no such word',
  pattern: () => '\n',
  minLength: () => '',
  maxLength: (limit: number) => 'x'.repeat(limit + 1),
  minimum: (limit: number) => limit - 1,
  maximum: (limit: number) => limit + 1,
  minItems: () => [],
  maxItems: (limit: number) => Array.from({ length: limit + 1 }, (_, n) => n),
  uniqueItems: (_limit, { items }) => Array(2).fill(wordOf(items as Schema)),
  maxProperties: (limit: number) =>
    Object.fromEntries(Array.from({ length: limit + 1 }, (_, n) => [`key_${n}`, null])),
  propertyNames: () => ({ ['x'.repeat(1_000)]: 1, '': 1 }),
  required: () => ({}),
  additionalProperties: () => ({ no_such_field: 1 }),
}

/** Keywords that hold further schemas or texts and refuse nothing by themselves. */
const others = ['properties', 'patternProperties', 'items', 'anyOf', 'description', 'default']

/** A value that the schema of a list's entry takes, as far as a list of words needs one. */
const wordOf = ({ enum: words, pattern }: Schema): unknown => {
  if (Array.isArray(words)) return words[0]
  const prefix = /^\^([a-z]{3}_)/.exec(typeof pattern === 'string' ? pattern : '')?.[1]
  return prefix === undefined ? 'word' : prefix + '0'.repeat(26)
}

function* schemasIn(schema: Schema): Generator<Schema> {
  // Null is always one of several choices, and refused together with the others.
  if (schema['type'] === 'null') return
  yield schema
  const { properties, patternProperties, items, anyOf, additionalProperties, propertyNames } =
    schema
  const parts = [properties, patternProperties].flatMap((part) => Object.values(part ?? {}))
  for (const part of [...parts, items, anyOf, additionalProperties, propertyNames].flat()) {
    if (typeof part === 'object' && part !== null) yield* schemasIn(part as Schema)
  }
}

test('no refusal of arguments has the words of the validator', () => {
  const roots = [...catalog.map(({ input }) => input), ...Object.values(blockSchemas), formPage]
  const schemas = new Set(
    roots.flatMap((root) =>
      [...schemasIn(root as object as Schema)].map((schema) => JSON.stringify(schema)),
    ),
  )
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  const met = new Set<string>()
  for (const text of schemas) {
    const schema = JSON.parse(text) as Schema
    const whole = { type: 'object', properties: { value: schema }, additionalProperties: false }
    const fits = ajv.compile(whole)
    const check = schemaCheck(whole as never, 'the call')
    for (const [keyword, limit] of Object.entries(schema)) {
      if (others.includes(keyword)) continue
      const make = breaking[keyword]
      assert.ok(make, `${keyword} of ${text} has no value here that breaks it`)
      const value = make(limit as never, schema)
      // Other properties that are allowed break nothing.
      const refusal = check({ value })
      if (fits({ value })) continue
      const [fault] = fits.errors ?? []
      const theirs = fault?.message ?? ''
      met.add(fault?.propertyName === undefined ? (fault?.keyword ?? '') : 'propertyNames')
      assert.ok(refusal, `${text} takes ${String(value)}`)
      const { message, details } = refusal
      assert.ok(!message.includes(theirs), `${keyword} of ${text}: ${message}`)
      assert.doesNotMatch(
        message,
        /must (NOT|match|pass|have (required|property))|undefined|\[object/,
      )
      assert.match(message, /^value\b.* (must|is|names|does) /s)
      assert.match(String(details.field), /^value/)
      assert.doesNotMatch(message, /right form\.$/)
    }
  }
  // Each rule was broken, and none only hidden behind another.
  const unmet = Object.keys(breaking).filter((keyword) => !met.has(keyword))
  assert.deepEqual(unmet, [])
})
