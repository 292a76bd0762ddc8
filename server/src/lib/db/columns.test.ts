import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { newId } from '../../core/ids.ts'
import { byteStrings, ids, longTexts, numbers, sql, texts } from './db.ts'

const { db, drop } = await testDatabase()
after(drop)

type Texts = readonly (string | null)[]

/** The texts as both forms return them, which must be equal. */
async function back(values: Texts): Promise<Texts> {
  const [spelt, binary] = [await through(texts(values)), await through(longTexts(values))]
  assert.deepEqual(binary, spelt)
  return spelt
}

async function through(column: string | Buffer): Promise<Texts> {
  const rows = await db.all<{ text: string | null }>(sql`
    select text from unnest(${column}::text[]) with ordinality as t (text, n) order by n
  `)
  return rows.map(({ text }) => text)
}

test('texts with special characters are returned unchanged from an array', async () => {
  const hostile = ['', 'NULL', 'null', '{}', '},{', ',', '"', '\\', '\\"', '"\\', ' a ', '\\n']
  const odd = ['\n\t\r\b', '\u0001\u001f\u007f', 'é😀\u2028', "'; drop table x; --", '$1']
  const values = [...hostile, null, ...odd, null]
  assert.deepEqual(await back(values), values)
  assert.deepEqual(await back([]), [])
})

test('arbitrary texts are returned unchanged from an array', async () => {
  const text = fc.string({ unit: 'binary' }).filter((entry) => !entry.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 20 }), async (values) => {
      assert.deepEqual(await back(values), values)
    }),
    { numRuns: 200 },
  )
})

test('byte strings are returned unchanged from an array, with nulls between them', async () => {
  const values = [Buffer.from([0, 255, 92, 34]), null, Buffer.alloc(0), Buffer.from('\\x00')]
  const rows = await db.all<{ bytes: Buffer | null }>(sql`
    select bytes from unnest(${byteStrings(values)}::bytea[]) with ordinality as t (bytes, n)
    order by n
  `)
  assert.deepEqual(
    rows.map(({ bytes }) => bytes),
    values,
  )
})

test('an array of ids can contain nulls', async () => {
  const values = [newId('contact'), null, newId('event')]
  const rows = await db.all<{ id: string | null }>(sql`
    select id from unnest(${ids(values)}::uuid[]) with ordinality as t (id, n) order by n
  `)
  assert.deepEqual(
    rows.map(({ id }) => id),
    values,
  )
})

test('an invalid id is refused before it is sent', () => {
  const id = newId('contact')
  for (const wrong of ['', 'NULL', `${id}0`, id.slice(1), id.replace(/.$/, 'g'), `${id}\u00e9`]) {
    assert.throws(() => ids([id, wrong as typeof id]), TypeError)
  }
  assert.equal(ids([id.toUpperCase() as typeof id]).toString('hex'), ids([id]).toString('hex'))
})

test('numbers are returned unchanged from an array', async () => {
  const values = [0, -1, 1.5, 2 ** 53, 1e300, 5e-324]
  const { back } = await db.one<{ back: number[] }>(sql`
    select ${numbers(values)}::float8[] as back
  `)
  assert.deepEqual(back, values)
})
