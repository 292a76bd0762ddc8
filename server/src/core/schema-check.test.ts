import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '../lib/schema/schema.ts'
import { schemaCheck, withFurtherFaults } from './schema-check.ts'

const schema = Type.Object(
  {
    form_id: Type.String({ description: 'The form.' }),
    limit: Type.Integer({ minimum: 1, maximum: 200 }),
    status: Type.Optional(Type.Enum(['draft', 'published'])),
    fields: Type.Optional(
      Type.Array(
        Type.Object({ key: Type.String(), label: Type.String() }, { additionalProperties: false }),
        { maxItems: 50 },
      ),
    ),
  },
  { additionalProperties: false },
)
const check = schemaCheck(schema, 'the arguments')

function faultsOf(value: object) {
  const first = check(value)
  assert.ok(first)
  const { message, details } = withFurtherFaults(first, schema, value)
  const faults = (details.data?.['faults'] ?? []) as { field: string; message: string }[]
  return { message, field: details.field, fields: faults.map(({ field }) => field) }
}

test('a list that a choice takes is refused for what is wrong with the list', () => {
  const address = Type.String()
  const several = Type.Array(address, { minItems: 1, maxItems: 3, uniqueItems: true })
  const to = schemaCheck(Type.Object({ to: Type.Union([address, several]) }), 'the arguments')
  const one = Type.Array(address, { minItems: 1, maxItems: 1 })
  const only = schemaCheck(Type.Object({ to: Type.Union([address, one]) }), 'the arguments')
  assert.equal(to({ to: ['a'] }), undefined)
  assert.equal(to({ to: [] })?.message, 'to must not be empty.')
  assert.equal(to({ to: ['a', 'a'] })?.message, 'to names the same entry twice, at [0] and [1].')
  assert.equal(to({ to: ['a', 'b', 'c', 'd'] })?.message, 'to must have at most 3 entries.')
  assert.equal(only({ to: ['a', 'b'] })?.message, 'to must have at most 1 entry.')
  assert.equal(to({ to: 1 })?.message, 'to must be a string or a list.')
})

test('all schema errors of a call are reported at once, each with what would be valid', () => {
  const { message, fields } = faultsOf({
    stauts: 'draft',
    limit: 0,
    status: 'gone',
    fields: [{ key: 'a', label: 1 }, { key: 'b' }],
  })
  assert.deepEqual(fields.toSorted(), [
    'fields[0].label',
    'fields[1].label',
    'form_id',
    'limit',
    'status',
    'stauts',
  ])
  assert.match(message, /Did you mean status\?/)
  assert.match(message, /status must be one of draft, published\./)
  assert.match(message, /form_id is missing\. The form\./)
})

test('a single schema error has the plain message of its field', () => {
  const { message, field, fields } = faultsOf({ form_id: 'f', limit: 0 })
  assert.deepEqual([message, field, fields], ['limit must be at least 1.', 'limit', []])
})

test('a long list of schema errors ends at the tenth, and is computed quickly', () => {
  const begun = performance.now()
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 1]))
  const { fields } = faultsOf({ ...many, fields: Array.from({ length: 50_000 }, () => 5) })
  assert.equal(fields.length, 10)
  assert.ok(performance.now() - begun < 5_000)
})
