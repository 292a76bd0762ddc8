import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from '../lib/schema/schema.ts'
import { type FieldKind, fieldKind } from './field-kind.ts'

const kinds: [FieldKind, TSchema][] = [
  ['text', Type.String()],
  ['text', Type.Enum(['a', 'b'])],
  ['number', Type.Integer()],
  ['number', Type.Number()],
  ['boolean', Type.Boolean()],
  ['list', Type.Array(Type.String())],
  ['list', Type.Array(Type.Enum(['a']))],
  ['json', Type.Array(Type.Integer())],
  ['json', Type.Array(Type.Array(Type.String()))],
  ['json', Type.Object({})],
  ['json', Type.Union([Type.String(), Type.Null()])],
  ['json', Type.Enum([1, 2])],
  ['json', Type.Unsafe({})],
]

test('each schema gets the simplest field kind that can hold all its values', () => {
  for (const [kind, schema] of kinds) {
    assert.equal(fieldKind(schema), kind, JSON.stringify(schema))
    assert.equal(fieldKind(Type.Optional(schema)), kind)
  }
})
