/** Tools and REST share their operations: a route answers and refuses as its tool does. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from 'crier-server/core/operation.ts'
import { fieldKind } from 'crier-server/operations/field-kind.ts'
import { restOutputOf } from 'crier-server/reference/meanings/find.ts'
import { refusalStatuses } from 'crier-server/reference/openapi/errors.ts'
import { routeOf } from '../support/clients/rest-caller.ts'
import type { Answer } from '../support/clients/tool-caller.ts'
import { fc } from '../support/properties.ts'
import { argumentsOf } from './support/arguments.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let others: Belongings
/** Shared by the operations that read, since they leave everything as it is. */
let shared: Belongings
/** Shared by the operations that write, but delete nothing and use nothing up. */
let written: Belongings

before(async () => {
  testbed = await openTestbed({ idle: true })
  others = await addBelongings(testbed, 'bravo', { campaigns: 10 })
  shared = await addBelongings(testbed, 'alpha', { campaigns: 10 })
  written = await addBelongings(testbed, 'alpha', { campaigns: 10 })
})
after(() => testbed.close())

/** INPUT_RUNS=20000 searches longer. */
const numRuns = Number(process.env['INPUT_RUNS'] ?? 40)

/** Operations whose answers change after each call, or a moment later. */
const changing = [
  'meta.usage',
  'meta.activity',
  'campaign.preview',
  'segment.explain',
  'sequence.preview',
]

for (const operation of catalog) {
  test(`${operation.name} returns the same over REST as over the tool endpoint`, async (t) => {
    const own = await belongingsFor(operation)
    const { tools, rest } = await testbed.bothEntries({ businesses: [own.id] })
    const drawn = argumentsOf(operation, own, others).filter((input) => canStand(operation, input))
    const met = { answer: 0, refusal: 0, error: 0 }
    // What a list leaves out for a model only.
    const whole = 'view' in operation.input.properties && { view: 'full' }
    const runs = fc.asyncProperty(drawn, async (written) => {
      const input = { ...written, ...whole }
      const asTool = await tools.call(operation.name, input)
      const overRest = await rest.call(operation.name, input)
      met[asTool.kind]++
      // A write that succeeded may be refused the second time.
      if (asTool.kind === 'answer' && !operation.hints.readOnly) return
      assert.deepEqual(comparable(overRest), comparable(asTool), `${overRest.text}\n${asTool.text}`)
      const { fieldsIn, status } = routeOf(catalog, operation.name, input)
      const documented = [status, ...refusalStatuses(operation, fieldsIn === 'body')]
      assert.ok(documented.includes(overRest.status as never), `${overRest.status} has no line`)
      if (asTool.kind === 'answer' && !changing.includes(operation.name)) {
        const { required = [] } = restOutputOf(operation)
        assert.deepEqual(
          required.filter((field) => !(field in overRest.body)),
          [],
        )
        const found = brief(overRest.body)
        const expected = brief(withoutMarks(asTool.body))
        // What a business has changes by itself for a while: then the next answer is the same.
        const next = isDeepStrictEqual(found, expected)
          ? expected
          : brief(withoutMarks((await tools.call(operation.name, input)).body))
        assert.deepEqual(found, next)
      }
    })
    await fc.assert(runs, { numRuns })
    t.diagnostic(JSON.stringify(met))
    // An action on a campaign, or a decision on a reply, may be refused from then on.
    const least = operation.hints.readOnly ? numRuns / 20 : 0
    assert.ok(met.answer > least && met.refusal > numRuns / 20, JSON.stringify(met))
  })
}

/** Tools mark strangers' texts by an `untrusted`; over REST they stand beside the other fields. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)])
  const { untrusted = {}, ...others }: Record<string, unknown> = Object.fromEntries(fields)
  return { ...others, ...(untrusted as object) }
}

/** Over REST, what is not there is null, and each list says whether more follows. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([key, inner]) => inner !== null && key !== 'more')
  return Object.fromEntries(fields.map(([key, inner]) => [key, brief(inner)]))
}

/** Most drafts of a shared business stand in the way of another. */
const usingUp = ['campaign.generate']

function belongingsFor({ name, hints }: Operation): Belongings | Promise<Belongings> {
  if (hints.readOnly) return shared
  if (!hints.destructive && !usingUp.includes(name)) return written
  return addBelongings(testbed, 'alpha', { campaigns: 10 })
}

const comparable = ({ kind, body }: Answer) => ({
  kind,
  code: body['code'],
  ...(kind === 'refusal' && { field: body['field'], message: body['message'] }),
})

/** Whether a path and a query can express the JSON input, with the same meaning. */
function canStand({ name, input: schema }: Operation, input: object): boolean {
  // Only JSON has numbers that readers round.
  const isRounded = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value)
  if (Object.values(input).some(isRounded)) return false
  const { inPath, fieldsIn } = routeOf(catalog, name, input)
  const stands = ([key, value]: [string, unknown]) => {
    if (inPath.includes(key)) return isText(value) && /^(?!\.+$)[^\0]{1,200}$/su.test(value)
    if (fieldsIn === 'body') return true
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
    switch (property ? fieldKind(property) : 'text') {
      case 'text':
        return isText(value) && isText(key)
      case 'list':
        return Array.isArray(value) && value.length > 0 && value.every(isText)
      // In a query such a text would be parsed as JSON.
      case 'json':
        return typeof value !== 'string'
      default:
        return property !== undefined && typeof value === fieldKind(property)
    }
  }
  return inPath.every((key) => key in input) && Object.entries(input).every(stands)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed()
}
