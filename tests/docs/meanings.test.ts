/** Each field of the reference says what it means, in a sentence that stands on its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignProgress } from 'crier-server/campaigns/progress.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import { schemaCheck } from 'crier-server/core/schema-check.ts'
import { exampleAnswer } from 'crier-server/reference/examples/answers.ts'
import type { Schema } from 'crier-server/reference/examples/values.ts'
import {
  inputOf,
  meaningKeys,
  outputOf,
  restOutputOf,
} from 'crier-server/reference/meanings/find.ts'
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

test('only events have the address of a clicked link', () => {
  const clicked = all.filter(({ meaning = '' }) => meaning.includes('clicked link leads to'))
  assert.ok(clicked.length > 0)
  assert.deepEqual(
    clicked.map(({ path }) => path).filter((path) => !path.includes('.events.')),
    [],
  )
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
    // The entries of a batch.
    if (keys.length === 2) places.add(`${noun}.${verb}.${singular(keys[0] ?? '')}.${key}`)
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
  const faults = catalog.flatMap((operation) => {
    const { name, output } = operation
    const asTool = exampleAnswer(operation, outputOf(operation))
    assert.equal(schemaCheck(output, name)(asTool), undefined, name)
    const overRest = exampleAnswer(operation, restOutputOf(operation))
    return [asTool, overRest].flatMap((example) => contradictionsIn(example, name))
  })
  assert.deepEqual([...new Set(faults)], [])
})

/** The state in which a verb leaves what it is about. */
const stateAfter: Record<string, string> = {
  pause: 'paused',
  cancel: 'cancelled',
  stop: 'stopped',
  start: 'running',
  deploy: 'deployed',
  undo: 'undoing',
  reschedule: 'scheduled',
}

type Fields = Record<string, unknown>

/** What cannot be together in one object, or beside the operation that answers it. */
const contradictions: Record<string, (fields: Fields, verb: string) => boolean> = {
  'another page without a cursor': ({ more, next_cursor: cursor }) => more === true && !cursor,
  'a second time of what was just done': ({ duplicate }) => duplicate === true,
  'a failure that is none': ({ failing_since: since, still_suppressed: still }) =>
    Boolean(since || still),
  'an error of what is queued': ({ status, error }) => status === 'queued' && Boolean(error),
  'another state than the verb says': (fields, verb) =>
    verb in stateAfter &&
    'possible' in fields &&
    ![stateAfter[verb], undefined].includes(fields['status'] as string),
  'a reason of a pause that is none': ({ status, pause_reason: reason }) =>
    Boolean(reason) && status !== 'paused',
  'the end of what is a draft': ({ status, completed_at: end, counts, results }) =>
    status === 'draft' && Boolean(end || counts || results),
  'refusals where all went well': ({ refused, refusals }) =>
    Number(refused) > 0 || (Array.isArray(refusals) && refusals.length > 0),
  'removed, and held': ({ removed, erased, held }) =>
    (removed === true || erased === true) && Boolean(held),
  'in force, and paused': ({ in_force: force, paused_at: at }) => force === true && Boolean(at),
  'suppressed without standing': ({ suppressed, standing }) =>
    Boolean(standing) && Array.isArray(suppressed) && suppressed.length > 0,
  'a decision on what waits': ({ status, state, decided_at: at }) =>
    [status, state].includes('waiting') && Boolean(at),
  'what is wrong with what is fine': ({ result, status, remedy, findings }) =>
    (result === 'pass' || status === 'ok') &&
    (Boolean(remedy) || (Array.isArray(findings) && findings.length > 0)),
}

/** Walks over all objects of the answer. */
function contradictionsIn(value: unknown, name: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const verb = name.split('.').at(-1) ?? ''
  const own = Array.isArray(value)
    ? []
    : Object.keys(contradictions).filter((rule) => contradictions[rule]?.(value as Fields, verb))
  const inner = Object.values(value).flatMap((part) => contradictionsIn(part, name))
  return [...own.map((rule) => `${name}: ${rule}`), ...inner]
}

test('no sample value of an answer is the name of its field', () => {
  const poor = catalog.flatMap((operation) =>
    repeated(exampleAnswer(operation, outputOf(operation)), operation.name),
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
