/**
 * Arguments of every kind to every operation: an answer that fits its schema, or a refusal that
 * names the field and leaves every row unchanged. Never a fault of the service.
 */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { type Code, statusOf } from 'crier-server/core/errors.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import { refusalStatuses } from 'crier-server/reference/openapi/errors.ts'
import type { Answer } from '../support/clients/tool-caller.ts'
import { type Fingerprint, fingerprint } from '../support/postgres/fingerprint.ts'
import { halvesIn } from '../support/postgres/halves.ts'
import { fc } from '../support/properties.ts'
import { argumentsOf } from './support/arguments.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { catalog, type OwnTestbed, openTestbed, writingOperations } from './support/testbed.ts'

/** `npm run soak -- --only inputs` searches longer. */
const numRuns = Number(process.env['INPUT_RUNS'] ?? 50)

const ajv = new Ajv({ strict: false })
addFormats.default(ajv)

/** Few writing operations share a testbed, because all of its rows are hashed after each call. */
const perTestbed = 6
/** Few campaigns, for the same reason. */
const few = { campaigns: 10 }

describe('operations that read', () => {
  let testbed: OwnTestbed
  let own: Belongings
  let others: Belongings
  before(async () => {
    testbed = await openTestbed({ idle: true })
    others = await addBelongings(testbed, 'bravo', few)
    own = await addBelongings(testbed, 'alpha', few)
  })
  after(() => testbed.close())

  for (const operation of catalog.filter(({ hints }) => hints.readOnly)) {
    test(`${operation.name} answers or refuses correctly for any arguments`, (t) =>
      tryArguments(operation, { testbed, own, others, t }))
  }
})

for (let first = 0; first < writingOperations.length; first += perTestbed) {
  describe(`operations that write, starting from number ${first + 1}`, () => {
    let testbed: OwnTestbed
    let others: Belongings
    let shared: Belongings
    before(async () => {
      testbed = await openTestbed({ idle: true })
      others = await addBelongings(testbed, 'bravo', few)
      shared = await addBelongings(testbed, 'alpha', few)
    })
    after(() => testbed.close())

    for (const operation of writingOperations.slice(first, first + perTestbed)) {
      test(`${operation.name} answers or refuses correctly for any arguments`, async (t) => {
        // What may delete or use up something has belongings that nothing else needs.
        const { destructive } = operation.hints
        const own = destructive ? await addBelongings(testbed, 'delta', few) : shared
        await tryArguments(operation, { testbed, own, others, t })
      })
    }
  })
}

interface Scene {
  testbed: OwnTestbed
  own: Belongings
  others: Belongings
  t: TestContext
}

async function tryArguments(operation: Operation, { testbed, own, others, t }: Scene) {
  const { db } = testbed
  const caller = await testbed.caller({ businesses: [own.id] })
  const fits = ajv.compile(operation.output)
  let last = await fingerprint(db)
  const met = { answer: 0, refusal: 0, error: 0 }
  const runs = fc.asyncProperty(argumentsOf(operation, own, others), async (input) => {
    // A schema is that of the whole.
    const whole = 'view' in operation.input.properties && { view: 'full' }
    const answer = await caller.call(operation.name, { ...input, ...whole })
    // What writes is looked at after each call, what only reads at the end.
    const now = operation.hints.readOnly ? last : await fingerprint(db)
    if (answer.kind === 'answer') {
      assert.ok(fits(answer.body), `${ajv.errorsText(fits.errors)}: ${answer.text}`)
    } else assertFair(operation, { input, answer, before: last, now })
    met[answer.kind]++
    last = now
  })
  await fc.assert(runs, { numRuns })
  if (operation.hints.readOnly) assert.deepEqual(await fingerprint(db), last, 'a read wrote')
  t.diagnostic(JSON.stringify(met))
  // Arguments that always or never succeed would prove nothing. An operation that uses up its
  // input, as a deploy does its campaign, succeeds rarely.
  const least = operation.hints.readOnly ? numRuns / 20 : 0
  assert.ok(met.answer > least && met.refusal > numRuns / 10, JSON.stringify(met))
  assert.deepEqual(await halvesIn(db, own.id), [])
}

interface Seen {
  input: object
  answer: Answer
  before: Fingerprint
  now: Fingerprint
}

/** Asserts a short refusal that blames the caller, names its field and changed nothing. */
function assertFair(operation: Operation, { input, answer, before, now }: Seen): void {
  const { status, kind, body, text } = answer
  assert.equal(kind, 'refusal', text)
  const code = String(body['code'])
  assert.ok(status < 500 && !['internal', 'unavailable'].includes(code), text)
  const documented: number[] = refusalStatuses(operation, true)
  assert.ok(documented.includes(statusOf[code as Code]), `${code} has no line in the reference`)
  assert.ok(text.length < 20_000, `a refusal of ${text.length} characters`)
  assert.deepEqual(now, before, `refused, and yet written: ${text}`)
  if (!['invalid_request', 'not_found', 'too_large'].includes(code)) return
  const field = body['field']
  assert.ok(typeof field === 'string' && field !== '', `which field? ${text}`)
  assert.ok(text.includes(JSON.stringify(field).slice(1, -1)))
  const names = [...Object.keys(input), ...Object.keys(operation.input.properties)]
  const starts = names.map((name) => name.slice(0, 40).toWellFormed().replaceAll('\0', '␀') || '""')
  assert.ok(
    starts.some((start) => field.startsWith(start)),
    `${field} is no field of the call: ${text}`,
  )
}
