/** Everybody who entered a sequence, with where they are, in an export. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { isRefusal, orRefusal } from '../core/errors.ts'
import { parseId } from '../core/ids.ts'
import { streamExport } from '../exports/stream.ts'
import { days } from '../lib/time/clock.ts'
import { createTemplates } from '../templates/compile.ts'
import { exportPeople, sequenceNamed } from './export-people.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

test('an export has each entry with its state, newest first, and none of another sequence', async () => {
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock, begin, template, agree, settle, pass } = scene
  const sequence_id = await begin({
    enter: { on: 'consent.given', filter: { not: { tag: 'other' } } },
    exit: { tag: 'out' },
    steps: [await template('A'), { wait: '2 days' }, await template('B')],
  })
  const sequenceId = parseId('sequence', sequence_id)
  assert.ok(sequenceId)
  await begin({ enter: { on: 'tag.added', tag: 'other' }, steps: [await template('C')] })
  await agree('ana')
  await settle()
  await pass(days(1))
  await agree('bo', { name: 'Bo', tags: ['out'] })
  await agree('cy', { tags: ['other'] })
  await settle()
  const thing = { of: 'automation' as const, sequence_id: sequenceId }
  const link = { business_id: id, format: 'csv' as const, thing, file_name: 'people.csv' }
  const deps = { db, hmac: testVault.hmac, now: clock.now() }
  const lines = (await Array.fromAsync(await streamExport(deps, link)))
    .join('')
    .trim()
    .split(/\r?\n/)
  const cells = lines.map((line) => line.split(',').slice(1, 8))
  assert.deepEqual(cells, [
    ['email', 'phone', 'name', 'status', 'reason', 'version', 'next_step'],
    ['bo@example.com', '', 'Bo', 'left', 'exit', '1', ''],
    ['ana@example.com', '', '', 'active', '', '1', '3'],
  ])
  const pages = await Array.fromAsync(exportPeople(db, { businessId: id, sequenceId }))
  assert.deepEqual(
    pages.map((page) => page.length),
    [2],
  )
  assert.equal(await sequenceNamed(db, id, sequence_id), sequenceId)
  const gone = await orRefusal(() => sequenceNamed(db, id, `seq_${'0'.repeat(26)}`))
  assert.ok(isRefusal(gone))
})
