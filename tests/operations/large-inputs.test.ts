/** Calls of megabytes: those within the limit succeed, and the others get a short refusal. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from 'crier-server/config.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { halvesIn } from '../support/postgres/halves.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'
import { withValueAt } from './support/with-value.ts'

let testbed: OwnTestbed
let own: Belongings
let caller: ToolCaller

before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha')
  caller = await testbed.caller({ businesses: [own.id] })
})
after(() => testbed.close())

interface Imported {
  created: number
  updated: number
  unchanged: number
  refused: number
  rows: { row: number; outcome: string; code?: string; field?: string; message?: string }[]
}

/** About 300 bytes. */
const row = (n: number) => ({
  email: `row-${n}@example.com`,
  name: `Row ${n}`,
  attributes: { note: 'n'.repeat(200), n },
})

test('an import of 10,000 rows and 3 MB accepts all rows but the invalid one', async () => {
  const contacts: unknown[] = Array.from({ length: 10_000 }, (_, n) => row(n))
  contacts[7_654] = { ...row(7_654), consent: { email: { status: 'maybe', source: 'x' } } }
  const bytes = Buffer.byteLength(JSON.stringify({ contacts }))
  assert.ok(bytes > 2_800_000 && bytes < limits.toolCallBytes)

  const answer = await caller.get<Imported>('contact.import', { contacts, each_row: true })
  const { created, refused, rows } = answer
  assert.deepEqual([created, refused, rows.length], [9_999, 1, 10_000])
  assert.deepEqual(
    rows.map((entry) => entry.row),
    contacts.map((_, n) => n),
  )
  const wrong = rows.filter(({ outcome }) => outcome === 'refused')
  assert.deepEqual(
    wrong.map(({ row, code, field }) => [row, code, field]),
    [[7_654, 'invalid_request', 'consent.email.status']],
  )
  assert.deepEqual(await halvesIn(testbed.db, own.id), [])
})

test('an import of 10,001 rows is refused whole', async () => {
  const before = await fingerprint(testbed.db)
  const contacts = Array.from({ length: 10_001 }, (_, n) => ({ email: `more-${n}@example.com` }))
  const { kind, body } = await caller.call('contact.import', { contacts })
  assert.deepEqual([kind, body['field']], ['refusal', 'contacts'])
  assert.deepEqual(await fingerprint(testbed.db), before)
})

test('each kind of invalid row is refused alone, with its field named', async () => {
  const wrong: [unknown, string][] = [
    [{}, 'email'],
    [{ email: 'no address' }, 'email'],
    [{ email: '' }, 'email'],
    [{ phone: '0612345678' }, 'phone'],
    [{ email: 5 }, 'email'],
    [{ email: 'a@example.com', more: 1 }, 'more'],
    [{ email: 'a@example.com', name: 'x'.repeat(201) }, 'name'],
    [{ email: 'a@example.com', tags: ['x'.repeat(65)] }, 'tags[0]'],
    [{ email: 'a@example.com', attributes: { deep: {} } }, 'attributes.deep'],
    [
      { email: 'a@example.com', consent: { email: { status: 'subscribed' } } },
      'consent.email.source',
    ],
  ]
  const contacts = wrong.flatMap(([one], n) => [one, { email: `fine-${n}@example.com` }])
  const { rows, created } = await caller.get<Imported>('contact.import', {
    contacts,
    each_row: true,
  })
  assert.equal(created, wrong.length)
  for (const [n, [, field]] of wrong.entries()) {
    const { outcome, code, field: named, message } = rows[2 * n] ?? {}
    assert.deepEqual([outcome, code, named], ['refused', 'invalid_request', field])
    assert.ok(message?.includes(field.split('.')[0] ?? ''), message)
  }
})

for (const operation of catalog) {
  test(`${operation.name} refuses a value far too long in any of its fields shortly`, async () => {
    const before = await fingerprint(testbed.db)
    const sample = lines[operation.name]?.sample(own)
    const assertShort = async (input: object, field: string) => {
      const { kind, status, body, text } = await caller.call(operation.name, input)
      assert.equal(kind, 'refusal', `${field}: ${text.slice(0, 300)}`)
      assert.ok(status < 500 && text.length < 5_000, `${field}: ${text.length} characters`)
      assert.ok(String(body['field']).startsWith(field), `${field}: ${text}`)
    }
    // Megabytes for the first and for contents: they take ten times as long, for the same check.
    for (const [n, key] of Object.keys(operation.input.properties).entries()) {
      const isContent = ['html', 'mjml', 'text', 'csv'].includes(key)
      const value = 'x'.repeat(n === 0 || isContent ? 3_000_000 : 300_000)
      await assertShort(withValueAt(sample, [key], value) as object, key)
    }
    await assertShort({ ...sample, ['k'.repeat(3_000_000)]: 1 }, 'kkk')
    assert.deepEqual(await fingerprint(testbed.db), before)
  })
}

test('200,000 unknown keys, or keys of 3 MB, are refused with the first key named', async () => {
  const before = await fingerprint(testbed.db)
  const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`key${n}`, n]))
  const long = { ['k'.repeat(3_000_000)]: 'x' }
  for (const [input, field] of [
    [many, 'key0'],
    [{ email: 'a@example.com', attributes: many }, 'attributes'],
    [{ email: 'a@example.com', attributes: long }, 'attributes.kkk'],
  ] as const) {
    const { kind, body, text } = await caller.call('contact.upsert', input)
    assert.equal(kind, 'refusal')
    assert.ok(text.length < 5_000 && String(body['field']).startsWith(field), text.slice(0, 500))
  }
  assert.deepEqual(await fingerprint(testbed.db), before)
})

test('the connection pool has no open transaction after these tests', async () => {
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'
  `)
  assert.equal(n, 0)
})
