/** People of an import enter only where the rule lets them in, and the preview counts them apart. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { preview, sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactImport } from '../contacts/import.ts'
import { segmentSave } from '../contacts/segments/save.ts'
import { createTemplates } from '../templates/compile.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

const yes = { email: { status: 'subscribed', source: 'their old list' } }

test('an import lets nobody in unless the rule says so, and is counted apart', async () => {
  const scene = await sequenceScene({ db: database.db, templates })
  const { begin, template, agree, settle, caller, names, person } = scene
  const { segment_id } = await caller.get<{ segment_id: string }>(segmentSave, {
    name: 'New',
    filter: { tag: 'new' },
  })
  const rules = [
    { on: 'consent.given' },
    { on: 'consent.given', imports: true },
    { on: 'segment.entered', segment_id },
  ]
  const started = []
  for (const [n, enter] of rules.entries()) {
    started.push(await begin({ enter, steps: [await template(`Mail ${n}`)] }))
  }
  await agree('ana', { tags: ['new'] })
  const contacts = ['bo', 'cy'].map((name) => ({
    email: `${name}@example.com`,
    tags: ['new'],
    consent: yes,
  }))
  await person.get(contactImport(), { contacts })
  await settle()
  assert.deepEqual([await names('ana'), await names('bo')], [['Mail 0', 'Mail 1'], ['Mail 1']])
  const counts = []
  for (const sequence_id of started) {
    const { would_enter } = await caller.get<{ would_enter: Record<string, number> }>(preview, {
      sequence_id,
    })
    counts.push([would_enter['last_30_days'], would_enter['from_imports']])
  }
  assert.deepEqual(counts, [
    [1, 2],
    [3, 2],
    [1, 2],
  ])
})
