/** Who stays on the list of suppressions after the import that named them is undone. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { suppressAddress } from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { suppressionsCsv, undoImport } from '../../../tests/support/businesses/suppression-files.ts'
import { callerAs, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { suppressionImport } from '../contacts/suppressions/import.ts'
import { contactSuppress } from '../contacts/suppressions/suppress.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { isRefusal } from '../core/errors.ts'
import { type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { importUndo } from './undo.ts'

const clock = new ManualClock()
let database: TestDatabase
let desk: ImportDesk
before(async () => {
  database = await testDatabase()
  desk = await importDesk({ db: database.db, clock })
})
after(async () => {
  await desk.close()
  await database.drop()
})

const kind = 'suppressions' as const
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const undo = (id: Id<'business'>, importId: string) => undoImport(desk.in(id), importId)

/** The columns email, phone, sha256, reason and source, without their heading. */
async function listOf(id: Id<'business'>): Promise<string[]> {
  const [, ...rows] = await suppressionsCsv(database.db, id)
  return rows.map((row) => row.split(',').toSpliced(4, 1).join(',')).sort()
}

test('undoing takes off whom the file alone brought, and nobody who has said no since', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const first = await business.take(
    'email\na@example.com\nb@example.com\nc@example.com\n',
    {},
    { kind },
  )
  const second = await business.take('email\nb@example.com\n', {}, { kind })
  const hashed = await business.take(`sha256\n${sha256('c@example.com')}\n`, {}, { kind })
  assert.equal(hashed.result?.['unchanged'], 1)
  await suppressAddress(database.db, id, 'a@example.com', 'complaint')
  assert.deepEqual(await undo(id, first.import_id), { deleted: 0, restored: 0, left: 3 })
  assert.equal((await listOf(id)).length, 3)
  assert.deepEqual(await undo(id, second.import_id), { deleted: 1, restored: 0, left: 0 })
  assert.deepEqual(await undo(id, hashed.import_id), { deleted: 1, restored: 0, left: 0 })
  assert.deepEqual(await listOf(id), [`,,${sha256('a@example.com')},complaint,a test`])
  const kept = await database.db.all(sql`
    select from import_suppressions where business_id = ${id}
  `)
  assert.deepEqual(kept, [])
})

test('undoing leaves what contact.suppress and other lists have said since, as mildly as they said it', async () => {
  const id = await newBusiness(database.db)
  const business = desk.in(id)
  const call = (suppressions: object[]) => business.caller.get(suppressionImport, { suppressions })
  const at = '2026-01-02'
  const names = ['same', 'milder', 'hashed', 'plain', 'found', 'alone'].map(
    (text) => `${text}@example.com`,
  )
  await suppressAddress(database.db, id, 'made-stricter@example.com', 'unsubscribed')
  const file = `email\n${[...names, 'made-stricter@example.com'].join('\n')}\n`
  const first = await business.take(file, { reason: 'bounce' }, { kind })
  assert.deepEqual([first.result?.['created'], first.result?.['updated']], [6, 1])
  const hashes = ['ha', 'hb', 'hc'].map((text) => sha256(`${text}@example.com`))
  const ofHashes = `sha256\n${hashes.join('\n')}\n`
  const second = await business.take(ofHashes, { reason: 'bounce' }, { kind })

  await business.caller.get(contactSuppress, { email: 'same@example.com' })
  await business.caller.get(contactSuppress, { email: 'made-stricter@example.com' })
  await call([
    { email: 'milder@example.com', reason: 'unsubscribed', at },
    { sha256: sha256('hashed@example.com'), reason: 'complaint', at },
    { email: 'plain@example.com', reason: 'complaint', at },
    { email: 'plain@example.com', reason: 'unsubscribed', at },
    { sha256: hashes[0], reason: 'unsubscribed', at },
  ])
  await business.caller.get(contactUpsert, { email: 'hb@example.com' })
  await business.caller.get(contactSuppress, { email: 'hb@example.com' })

  assert.deepEqual(await undo(id, second.import_id), { deleted: 2, restored: 0, left: 1 })
  assert.deepEqual(await undo(id, first.import_id), { deleted: 2, restored: 1, left: 4 })
  const by = (email: string, rest: string) => `,,${sha256(`${email}@example.com`)},${rest}`
  assert.deepEqual(
    await listOf(id),
    [
      by('same', 'manual,contact.suppress'),
      by('made-stricter', 'manual,contact.suppress'),
      by('milder', 'unsubscribed,suppression.import'),
      by('hashed', 'complaint,suppression.import'),
      by('plain', 'complaint,suppression.import'),
      by('ha', 'unsubscribed,suppression.import'),
      'hb@example.com,,,manual,contact.suppress',
    ].sort(),
  )
})

test('an app takes nobody off the list whom another put there, and a program and a person do', async () => {
  const id = await newBusiness(database.db)
  const parts = { db: database.db, clock }
  const taken = await desk.in(id).take('email\na@example.com\n', {}, { kind })
  const input = { import_id: taken.import_id }
  const refusal = await callerIn(parts, id).ask(importUndo, input)
  assert.ok(isRefusal(refusal))
  const page = refusal.details.fix?.url?.split('/').at(-1)
  assert.deepEqual([refusal.code, page], ['access_denied', 'import'])
  assert.equal((await listOf(id)).length, 1)
  const { state } = await callerIn(parts, id, { isApiKey: true }).get<{ state: string }>(
    importUndo,
    input,
  )
  assert.equal(state, 'undoing')
  const other = await desk.in(id).take('email\nb@example.com\n', {}, { kind })
  const person = callerAs(parts, {
    connectionId: null,
    userId: newId('user'),
    scopes: new Set(['audience:write'] as const),
    businesses: [{ id, name: 'Shop', tier: 'scale', role: 'owner' }],
  })
  const byPerson = await person.get<{ state: string }>(importUndo, { import_id: other.import_id })
  assert.equal(byPerson.state, 'undoing')
})
