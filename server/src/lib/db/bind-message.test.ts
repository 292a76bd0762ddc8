import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { type BoundValue, bindMessage } from './bind-message.ts'

/** What the driver writes for the same values. */
function messageOfDriver(statement: string, some: readonly BoundValue[]): Buffer {
  const pieces: Buffer[] = []
  const stream = new PassThrough()
  stream.write = (piece: Buffer) => pieces.push(piece) > 0
  const connection = new pg.Connection({ stream } as object)
  connection.bind({ statement, values: [...some] } as never, true)
  return Buffer.concat(pieces)
}

const values = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.constant(null),
  ),
  { maxLength: 12 },
)

test('a message that binds values is the one of the driver', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), values, (statement, some) => {
      assert.deepEqual(bindMessage(statement, some), messageOfDriver(statement, some))
    }),
    { numRuns: 2000 },
  )
})

test('a large value is bound whole', () => {
  const some = ['ü'.repeat(300_000), null, Buffer.alloc(100_000, 7)]
  assert.deepEqual(bindMessage('s', some), messageOfDriver('s', some))
})
