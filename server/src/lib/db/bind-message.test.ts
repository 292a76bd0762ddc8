import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { bindMessage } from './connection.ts'
import { sql } from './db.ts'

const { db, drop } = await testDatabase()
after(drop)

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', 'é', '€', '😀', '\n') })

test('values of any kind and length arrive as they were', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
  const given = fc.tuple(fc.option(text), fc.option(bytes), text, fc.integer())
  await fc.assert(
    fc.asyncProperty(given, async ([a, b, c, n]) => {
      const row = await db.one<{ a: string | null; b: Buffer | null; c: string; n: number }>(sql`
        select ${a}::text as a, ${b}::bytea as b, ${c.repeat(40)}::text as c, ${n}::int4 as n
      `)
      assert.deepEqual(row, { a, b, c: c.repeat(40), n })
    }),
    { numRuns: 60 },
  )
})

test('a message is as long as it says, without room to spare', () => {
  for (const values of [[], [null], ['é€😀', Buffer.from('bytes'), 7, null, true]]) {
    const message = bindMessage('naïve', values)
    assert.equal(message.readInt32BE(1), message.length - 1)
    const [portal, statement] = message.subarray(5).toString().split('\0', 2)
    assert.deepEqual([portal, statement], ['', 'naïve'])
    // One format for all columns of the answer: text.
    assert.equal(message.subarray(-4).toString('hex'), '00010000')
  }
})
