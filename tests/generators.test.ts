import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { pascal, type Schema, typeOf } from '../scripts/generators/schema-types.ts'

const typed = (schema: object) => typeOf(schema as Schema)

test('a schema becomes the type it describes', () => {
  assert.equal(typed(Type.String()), 'string')
  assert.equal(typed(Type.Integer({ minimum: 1 })), 'number')
  assert.equal(typed(Type.Union([Type.String(), Type.Null()])), 'string | null')
  assert.equal(typed(Type.Enum(['a', "it's"])), String.raw`'a' | 'it\'s'`)
  assert.equal(typed(Type.Array(Type.Enum([50, 80]))), 'Array<50 | 80>')
  assert.equal(typed(Type.Record(Type.String(), Type.Number())), 'Record<string, number>')
  assert.equal(typed({ type: 'object', additionalProperties: true }), 'Record<string, unknown>')
  assert.equal(
    typed({ type: 'object', additionalProperties: { type: 'string' } }),
    'Record<string, string>',
  )
})

test('an object keeps its descriptions, its optional fields and names that need quotes', () => {
  const schema = Type.Object({
    email: Type.String({ description: 'Where it goes. */' }),
    'x-y': Type.Optional(Type.Object({ deep: Type.Boolean() })),
  })
  assert.equal(
    typed(schema),
    [
      '{',
      '  /** Where it goes. *\\/ */',
      '  email: string',
      "  'x-y'?: {",
      '    deep: boolean',
      '  }',
      '}',
    ].join('\n'),
  )
})

test('a schema that has no type is refused, not guessed', () => {
  assert.throws(() => typed({ type: 'date' }), /no type for the schema/)
})

test('names are those of the operations', () => {
  assert.equal(pascal('contact.upsert'), 'ContactUpsert')
  assert.equal(pascal('domain.set_up'), 'DomainSetUp')
})
