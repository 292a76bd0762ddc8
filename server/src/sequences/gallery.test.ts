/** Automations of the gallery become drafts with their mails, in the language of the business. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { sql } from '../lib/db/db.ts'
import type { Sender } from '../sender-domains/senders/senders.ts'
import { createTemplates } from '../templates/compile.ts'
import { sequenceGallery } from './gallery.ts'
import { sequencePreview } from './preview.ts'
import { sequenceSave } from './save.ts'
import { sequenceStart } from './start.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

const save = sequenceSave({ templates })
const sender: Sender = {
  from: 'Shop <hello@shop.example>',
  domain: 'shop.example',
  keys: [],
  verified: true,
  marketing: true,
}
const textSenders = { textSenderOf: async () => ({ from: undefined, marketing: true as const }) }
const parts = {
  warmUpOf: async () => undefined,
  senders: { senderOf: async () => sender },
  textSenders,
}

interface Shown {
  language: string
  sequences: {
    key: string
    name: string
    about: string
    kind: string
    enter: object
    exit?: object
    steps: object[]
    slots: { name: string; required: boolean }[]
  }[]
}

interface Saved {
  sequence_id: string
  steps: { send?: { template_id: string } }[]
}

test('each automation of the gallery is saved as it is shown, in each language', async () => {
  const { caller, db, id } = await sequenceScene({ db: database.db, templates })
  for (const language of ['en', 'de', 'fr']) {
    const { sequences } = await caller.get<Shown>(sequenceGallery, { language })
    assert.ok(sequences.length >= 7)
    assert.equal(new Set(sequences.map(({ name }) => name)).size, sequences.length)
    if (language !== 'en') continue
    for (const { key: _key, about: _about, slots: _slots, ...shown } of sequences) {
      const { mails: _mails, ...input } = shown as typeof shown & { mails: object[] }
      const saved = await caller.get<Saved>(save, input)
      assert.ok(
        saved.steps.some(({ send }) => send?.template_id.startsWith('tpl_')),
        shown.name,
      )
    }
  }
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from templates where business_id = ${id} and gallery is not null
  `)
  assert.ok(n >= 7)
})

test('an empty slot of a mail is no fault of a draft, and blocks its start', async () => {
  const { caller, person } = await sequenceScene({ db: database.db, templates })
  const steps = [
    { send: { gallery: 'welcome-1' } },
    { wait: '3 days' },
    { send: { gallery: 'welcome-2' } },
  ]
  const draft = { name: 'Welcome', enter: { on: 'consent.given' }, steps }
  const { sequence_id } = await caller.get<Saved>(save, draft)
  interface Planned {
    gates: { gate: string; result: string; evidence: string }[]
  }
  const plan = await person.get<Planned>(sequencePreview(parts), { sequence_id })
  const gate = plan.gates.find((entry) => entry.gate === 'content')
  assert.equal(gate?.result, 'block')
  assert.match(gate?.evidence ?? '', /\[\[/)
  const refusal = await person.refused(sequenceStart({ ...parts, appUrl: 'https://app.example' }), {
    sequence_id,
  })
  assert.equal(refusal.code, 'conflict')
  const slots = { favourites_url: 'https://shop.example/favourites' }
  const filled = await caller.get<Saved>(save, { ...draft, name: 'Filled', slots })
  const ready = await person.get<Planned>(sequencePreview(parts), {
    sequence_id: filled.sequence_id,
  })
  assert.ok(ready.gates.every(({ result }) => result !== 'block'))
})

test('a fact for no mail, a mail that the gallery lacks, and a text message are refused', async () => {
  const { caller, db, id } = await sequenceScene({ db: database.db, templates })
  const draft = { name: 'Odd', enter: { on: 'consent.given' } }
  for (const [input, field] of [
    [{ steps: [{ send: { gallery: 'welcome-1' } }], slots: { nothing: 'x' } }, 'slots.nothing'],
    [{ steps: [{ send: { gallery: 'welcome-9' } }] }, 'steps'],
    [{ steps: [{ send: { gallery: 'sms-sale' } }] }, 'steps'],
    [{ steps: [{ send: { gallery: 'sale' } }], kind: 'transactional' }, 'kind'],
    [{ steps: [{ send: { gallery: 'sale' } }, { wait: 'long' }] }, 'steps[1].wait'],
  ] as const) {
    const refusal = await caller.refused(save, { ...draft, ...input })
    assert.deepEqual([refusal.code, refusal.details.field], ['invalid_request', field])
  }
  const rows = await db.all(sql`select id from templates where business_id = ${id}`)
  assert.deepEqual(rows, [], 'a refused save leaves no template')
  const unknown = await caller.refused(sequenceGallery, { key: 'welcom' })
  assert.match(unknown.message, /Did you mean welcome/)
})
