/** Our functions build what TypeBox's build, property by property and in the same order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './schema.ts'

type Builder = typeof Type

const note = { description: 'What it is.' }

/** Schemas of each type, with and without options. */
const schemas: Record<keyof Builder, (type: Builder) => unknown[]> = {
  Array: (type) => [type.Array(type.String()), type.Array(type.Null(), { minItems: 1, ...note })],
  Boolean: (type) => [type.Boolean(), type.Boolean(note)],
  Enum: (type) => [type.Enum(['a', 'b']), type.Enum([1, 2], note)],
  Integer: (type) => [type.Integer(), type.Integer({ minimum: 1 })],
  Null: (type) => [type.Null(), type.Null(note)],
  Number: (type) => [type.Number(), type.Number({ maximum: 0.5 })],
  Object: (type) => [
    type.Object({}),
    type.Object({ a: type.Optional(type.String()) }, note),
    type.Object({ a: type.String(), b: type.Optional(type.Null()), c: type.Integer() }),
  ],
  Omit: (type) => [type.Omit(mixed(type), ['a']), type.Omit(mixed(type), ['a', 'b', 'c'])],
  Optional: (type) => [
    type.Optional(type.String(note)),
    type.Object({ a: type.Optional(type.Optional(type.Union([type.Null()]))) }),
  ],
  Partial: (type) => [type.Partial(mixed(type))],
  Pick: (type) => [type.Pick(mixed(type), ['a', 'b']), type.Pick(mixed(type), ['b'])],
  Record: (type) => [
    type.Record(type.String(), type.Integer()),
    type.Record(type.String(), type.String(), note),
  ],
  String: (type) => [type.String(), type.String({ format: 'email', maxLength: 3 })],
  Union: (type) => [
    type.Union([type.String(), type.Null()]),
    type.Union([mixed(type), type.Null()], note),
  ],
  Unsafe: (type) => [type.Unsafe({}), type.Unsafe({ type: 'object', ...note })],
}

function mixed(type: Builder) {
  return type.Object({ a: type.String(), b: type.Optional(type.String(note)), c: type.Null() })
}

for (const [name, write] of Object.entries(schemas)) {
  test(`${name} of our schema library writes the same schema as TypeBox`, () => {
    const [ours, theirs] = [write(Type), write(TypeBox)]
    assert.equal(JSON.stringify(ours), JSON.stringify(theirs))
  })
}

test('every schema function is compared with TypeBox', () => {
  assert.deepEqual(Object.keys(schemas).sort(), Object.keys(Type).sort())
})

test('making a schema optional in one object leaves it required elsewhere', () => {
  const name = Type.String()
  Type.Object({ name: Type.Optional(name) })
  assert.deepEqual(Type.Object({ name }).required, ['name'])
})
