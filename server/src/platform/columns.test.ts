import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../tests/support/database.ts'
import { ids, texts } from './columns.ts'
import { sql } from './db.ts'
import { newId } from './ids.ts'

const { db, drop } = await testDatabase()
after(drop)

async function back(values: (string | null)[]): Promise<(string | null)[]> {
  const rows = await db.all<{ text: string | null }>(sql`
    select text from unnest(${texts(values)}::text[]) with ordinality as t (text, n) order by n
  `)
  return rows.map(({ text }) => text)
}

test('texts come back as they were, whatever they hold', async () => {
  const hostile = ['', 'NULL', 'null', '{}', '},{', ',', '"', '\\', '\\"', '"\\', ' a ', '\\n']
  const odd = ['\n\t\r\b', '\u0001\u001f\u007f', 'é😀\u2028', "'; drop table x; --", '$1']
  const values = [...hostile, null, ...odd, null]
  assert.deepEqual(await back(values), values)
  assert.deepEqual(await back([]), [])
})

test('so do texts nobody thought of', async () => {
  const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 20 }), async (values) => {
      assert.deepEqual(await back(values), values)
    }),
    { numRuns: 200 },
  )
})

test('an array of ids may have gaps', async () => {
  const values = [newId('contact'), null, newId('event')]
  const rows = await db.all<{ id: string | null }>(sql`
    select id from unnest(${ids(values)}::uuid[]) with ordinality as t (id, n) order by n
  `)
  assert.deepEqual(
    rows.map(({ id }) => id),
    values,
  )
})
