import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FileRow, readRows } from './read-rows.ts'
import { unpackRows } from './row-packs.ts'

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

test('rows in packs are the same as rows in one list, wherever a piece of the file ends', () => {
  const input = fc.tuple(fc.array(line, { maxLength: 12 }), end, fc.boolean(), fc.nat({ max: 4 }))
  fc.assert(
    fc.property(input, ([lines, last, isLast, n]) => {
      const bytes = Buffer.from(lines.join('') + last, 'latin1')
      const mutable = { ...plan, columns: [...plan.columns], targets: [...plan.targets], tags: [] }
      const asked = { ...wanted, bytes, isLast, plan: mutable }
      const whole = readRows(asked)
      const packed = readRows({ ...asked, rowsPerPack: n + 1 })
      const unpacked = packed.packs.flatMap((pack) => unpackRows<FileRow>(pack))
      assert.deepEqual(unpacked, whole.rows)
      // Blank lines at the end are no rows, and may be left for the next piece.
      assert.ok(packed.consumed >= whole.consumed)
      const blank = bytes.toString('latin1', whole.consumed, packed.consumed)
      assert.equal(blank.trim(), '')
    }),
    { numRuns: 1_000 },
  )
})
