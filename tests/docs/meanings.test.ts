/** Each field of the reference says what it means, in a sentence that stands on its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignProgress } from 'crier-server/campaigns/operations/progress.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import { schemaCheck } from 'crier-server/core/schema-check.ts'
import type { Schema } from 'crier-server/reference/examples/values.ts'
import { exampleValue } from 'crier-server/reference/examples/values.ts'
import { inputOf, meaningKeys, outputOf } from 'crier-server/reference/meanings/find.ts'
import { operationMeanings } from 'crier-server/reference/meanings/operations.ts'
import { singular } from 'crier-server/reference/singular.ts'
import { freshCatalog } from '../../scripts/generators/catalog.ts'

interface Field {
  path: string
  meaning: string | undefined
}

/** All fields of a schema, the nested ones too. */
function fieldsOf(schema: Schema, path: string): Field[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([key, field]) => [
      { path: `${path}.${key}`, meaning: field.description },
      ...fieldsOf(field, `${path}.${key}`),
    ]),
    ...(items ? fieldsOf(items, path) : []),
    ...anyOf.flatMap((choice) => fieldsOf(choice, path)),
  ]
}

// The progress of a campaign has a route, but is not a tool.
const catalog = [...freshCatalog(), campaignProgress]
const all = catalog.flatMap((operation: Operation) => [
  ...fieldsOf(inputOf(operation), operation.name),
  ...fieldsOf(outputOf(operation), `${operation.name} answers`),
])

test('each operation is described for people, and nothing else is', () => {
  const names = catalog.map(({ name }) => name)
  assert.deepEqual(Object.keys(operationMeanings).toSorted(), names.toSorted())
})

test('each field of the reference has a meaning', () => {
  const without = all.filter(({ meaning }) => meaning === undefined).map(({ path }) => path)
  assert.deepEqual(without, [], 'describe them in server/src/reference/meanings')
})

test('each meaning is a sentence of at least three words', () => {
  const fragments = all.filter(
    ({ meaning = '' }) => !/^[A-Z`]/.test(meaning) || !meaning.endsWith('.') || words(meaning) < 3,
  )
  assert.deepEqual([...new Set(fragments.map(({ path, meaning }) => `${path}: ${meaning}`))], [])
})

const words = (text: string) => text.split(' ').length

test('no meaning says only in which form a time is written', () => {
  const poor = all.filter(({ meaning = '' }) => /^ISO 8601|^UTC/.test(meaning))
  assert.deepEqual([...new Set(poor.map(({ path }) => path))], [])
})

test('each entry of the meanings belongs to a field that exists', () => {
  const places = new Set<string>()
  for (const { path } of all) {
    const parts = path.replace(' answers', '').split('.')
    const [noun = '', verb = '', ...keys] = parts
    const key = keys.at(-1) ?? ''
    places.add(key)
    places.add(keys.length === 1 ? `${noun}.${key}` : `${singular(keys.at(-2) ?? '')}.${key}`)
    if (keys.length === 1) places.add(`${noun}.${verb}.${key}`)
    const [outer = '', inner = ''] = keys.slice(-3).map(singular)
    if (keys.length > 1)
      places.add(`${keys.length > 2 ? outer : noun}.${keys.length > 2 ? inner : outer}.${key}`)
    // The messages of a batch have the meanings of a single one.
    if (verb === 'send_batch' && keys.length === 2) {
      places.add(`${noun}.${key}`)
      places.add(`${noun}.send.${key}`)
    }
  }
  assert.deepEqual(
    meaningKeys.filter((key) => !places.has(key)),
    [],
  )
})

test('each example of an answer fits its schema, and shows the case in which all went well', () => {
  for (const operation of catalog) {
    const { name, output } = operation
    const example = exampleValue(outputOf(operation), name.split('.')[0])
    assert.equal(schemaCheck(output, name)(example), undefined, name)
    const text = JSON.stringify(example)
    assert.doesNotMatch(text, /"duplicate":true|"failing_since":"|"still_suppressed"/, name)
    if (!/failed|refused/.test(text)) assert.doesNotMatch(text, /"error":\{/, name)
  }
})

test('no sample value of an answer is the name of its field', () => {
  const poor = catalog.flatMap((operation) =>
    repeated(exampleValue(outputOf(operation), operation.name.split('.')[0]), operation.name),
  )
  assert.deepEqual(poor, [])
})

/** The fields whose value is their own name, or a word that stands for any text. */
function repeated(value: unknown, path: string): string[] {
  if (typeof value === 'string') {
    const key = path.split('.').at(-1) ?? ''
    return [key, singular(key), 'any text', 'example', 'any value'].includes(value) ? [path] : []
  }
  if (Array.isArray(value)) return value.flatMap((item) => repeated(item, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => repeated(inner, `${path}.${key}`))
}
