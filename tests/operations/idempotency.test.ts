import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newId } from 'crier-server/core/ids.ts'
import { createEngine } from 'crier-server/core/writes/unit-of-work.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { someOrigin } from '../support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../support/postgres/database.ts'
import { addNote, countNotes, makeNotes } from './notes.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
  await makeNotes(database.db)
})
after(() => database.drop())

const writer = fileURLToPath(new URL('./killed-writer.ts', import.meta.url))

test('after kill -9 between commit and response, the second call gets the stored response', async () => {
  const businessId = newId('business')
  const key = 'survives'
  const child = spawn(
    process.execPath,
    ['--conditions=crier-source', writer, JSON.stringify(database.connection), businessId, key],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [, signal] = await once(child, 'close')
  assert.deepEqual([signal, said], ['SIGKILL', ''])
  assert.equal(await countNotes(database.db, 'killed'), 1)

  const engine = createEngine({ db: database.db, clock: systemClock })
  const input = { text: 'killed', idempotency_key: key }
  const answer = await engine
    .writingFor({ businessId, operation: 'note.add', input, origin: someOrigin() })
    .write((tx) => addNote(tx, 'killed', 'of the second process'))
  assert.equal(answer, 'of the first process')
  assert.equal(await countNotes(database.db, 'killed'), 1)
})
