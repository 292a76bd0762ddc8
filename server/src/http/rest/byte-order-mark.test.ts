/** CSV files have a byte order mark for a person in the app, and for whoever asks for it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

const mark = Buffer.from('\ufeff')

async function fetchBytes(url: string) {
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, hasMark: bytes.subarray(0, 3).equals(mark), bytes }
}

test('an export has the mark once where the app or the address asks for it, and CSV alone', async () => {
  const businessId = await testbed.newBusiness()
  const app = await testbed.appCaller({ businesses: [businessId] })
  const rest = await testbed.restCaller({ businesses: [businessId] })
  await rest.get('contact.upsert', { email: 'zoe@example.com', name: 'Zoë' })
  const urlOf = async (caller: typeof rest, input: object = {}) =>
    (await caller.get<{ url: string }>('export.create', input)).url
  const rows: [url: string, expected: boolean][] = [
    [await urlOf(app), true],
    [`${await urlOf(app)}?byte_order_mark=false`, false],
    [await urlOf(rest), false],
    [`${await urlOf(rest)}?byte_order_mark=true`, true],
    [await urlOf(app, { kind: 'suppressions' }), true],
    [await urlOf(app, { format: 'ndjson' }), false],
    [`${await urlOf(app, { format: 'ndjson' })}?byte_order_mark=true`, false],
  ]
  for (const [url, expected] of rows) {
    const { status, hasMark, bytes } = await fetchBytes(url)
    assert.deepEqual([status, hasMark], [200, expected], url)
    assert.equal(bytes.indexOf(mark, 1), -1, 'nowhere else')
  }
  const { bytes } = await fetchBytes(await urlOf(app))
  assert.match(
    bytes.toString(),
    /^\ufeffemail,phone,external_id,name,[\s\S]*zoe@example\.com,,,Zoë,/,
  )
  const wrong = await fetch(`${await urlOf(rest)}?byte_order_mark=yes`)
  assert.equal(wrong.status, 400)
  assert.match(await wrong.text(), /byte_order_mark must be true or false/)
})
