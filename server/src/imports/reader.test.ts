import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import fc from 'fast-check'
import { createPause, readInSteps, readRows } from './reader.ts'

test('nothing passes during a pause, and what waits passes after it', async () => {
  const pause = createPause()
  await pause.pass()
  const order: string[] = []
  const work = Promise.withResolvers<void>()
  const pausing = pause.during(async () => {
    await work.promise
    order.push('worked')
  })
  const passing = pause.pass().then(() => order.push('passed'))
  for (let turn = 0; turn < 5; turn++) await turnOfLoop()
  assert.deepEqual(order, [])
  work.resolve()
  await Promise.all([pausing, passing])
  assert.deepEqual(order, ['worked', 'passed'])
})

test('work that throws ends the pause too', async () => {
  const pause = createPause()
  const failing = pause.during(() => Promise.reject(new Error('of the work')))
  await assert.rejects(failing, /of the work/)
  await pause.pass()
})

const plan = {
  kind: 'contacts',
  encoding: 'windows-1252',
  delimiter: ',',
  columns: ['email', 'notes'],
  targets: ['email', 'attributes.notes'],
  hasHeader: false,
  start: 0,
  known: null,
  tags: [],
  mode: 'update',
  blanksErase: false,
  consent: {},
  fileName: 'people.csv',
} as const

const wanted = { addressesAlone: false, withProfiles: false, withCells: 0, withDoubtful: 0 }

const line = fc.constantFrom(
  'a@b.example,x\n',
  'no,"a\nb"\r\n',
  '\n',
  'c@d.example,é\n',
  'e,"x"y\n',
)
const end = fc.constantFrom('', 'f@g.example', 'f@g.example,"open', '"')

test('rows are the same in steps of any size, wherever a piece of the file ends', () => {
  const input = fc.tuple(fc.array(line, { maxLength: 12 }), end, fc.boolean(), fc.nat({ max: 4 }))
  fc.assert(
    fc.property(input, ([lines, last, isLast, n]) => {
      const bytes = Buffer.from(lines.join('') + last, 'latin1')
      const mutable = { ...plan, columns: [...plan.columns], targets: [...plan.targets], tags: [] }
      const asked = { ...wanted, bytes, isLast, plan: mutable }
      const whole = readRows(asked)
      const stepwise = atOnce(readInSteps(asked, n + 1))
      assert.deepEqual(stepwise.rows, whole.rows)
      // Blank lines at the end are no rows, and may be left for the next piece.
      assert.ok(stepwise.consumed >= whole.consumed)
      const blank = bytes.toString('latin1', whole.consumed, stepwise.consumed)
      assert.equal(blank.trim(), '')
    }),
    { numRuns: 1_000 },
  )
})

test('a cell of JSON that is nested thousands of times costs itself alone', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const bytes = Buffer.from(`a@b.example,"{""a"":${deep}}"\nc@d.example,"{""a"":[1]}"\n`)
  const targets = ['email', 'attributes']
  const mutable = { ...plan, columns: [...plan.columns], targets, tags: [] }
  const { rows } = readRows({ ...wanted, bytes, isLast: true, plan: mutable })
  assert.deepEqual(
    rows.map(({ leftOut, person }) => [leftOut?.[0]?.field, person?.attributes]),
    [
      ['attributes', undefined],
      [undefined, { a: '[1]' }],
    ],
  )
})

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
