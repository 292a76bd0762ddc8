import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { pascal, type Schema, typeOf } from '../scripts/generators/schema-types.ts'

const typed = (schema: object) => typeOf(schema as Schema)

test('a schema is translated into the TypeScript type it describes', () => {
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

test('a generated object type has descriptions, optional fields and quoted names where needed', () => {
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

test('a schema without a TypeScript type is refused and not guessed', () => {
  assert.throws(() => typed({ type: 'date' }), /no type for the schema/)
})

test('generated type names are derived from the operation names', () => {
  assert.equal(pascal('contact.upsert'), 'ContactUpsert')
  assert.equal(pascal('domain.set_up'), 'DomainSetUp')
})
