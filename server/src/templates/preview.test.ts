import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { formatId, newId } from '../core/ids.ts'
import { createTemplates, type Templates } from './compile.ts'
import { templatePreview } from './preview.ts'
import { templateSave } from './save.ts'
import type { Recipient } from './variables.ts'
import { templateVersions } from './versions.ts'

let database: TestDatabase
let caller: Caller
let stranger: Caller
let templates: Templates
let preview: ReturnType<typeof templatePreview>
let save: ReturnType<typeof templateSave>
const clock = new ManualClock()
const ana = newId('contact')
const person: Recipient = {
  email: 'ana@example.com',
  phone: null,
  name: 'Ana Ruiz <b>',
  first_name: 'Ana',
  last_name: 'Ruiz <b>',
  language: 'es',
  attributes: { city: 'Lyon' },
  tags: [],
}
before(async () => {
  database = await testDatabase()
  const businessId = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock }, businessId)
  stranger = callerIn({ db: database.db, clock }, await newBusiness(database.db))
  templates = createTemplates({ deadlineMs: 30_000 })
  preview = templatePreview({
    templates,
    readRecipient: async (_db, key) =>
      key.businessId === businessId && key.contactId === ana ? person : undefined,
  })
  save = templateSave({ templates })
})
after(async () => {
  await templates.close()
  await database.drop()
})

interface Shown {
  untrusted: { subject: string; html?: string; text: string }
  needs: string[]
  segments?: number
}

const html =
  '<p>Hello {{ contact.name | default: "you" }} of {{ contact.attributes.city }}: {{ order.total }}</p>'

test('content is previewed as one contact gets it, with values that are given', async () => {
  const content = { subject: 'For {{ contact.email }}', html }
  const variables = { order: { total: '48 €' } }
  const contact_id = formatId('contact', ana)
  const shown = await caller.get<Shown>(preview, { ...content, variables, contact_id })
  assert.equal(shown.untrusted.subject, 'For ana@example.com')
  assert.match(shown.untrusted.html ?? '', /Hello Ana Ruiz &lt;b&gt; of Lyon: 48 €/)
  assert.deepEqual(shown.needs, ['order.total'])
  const empty = await caller.get<Shown>(preview, { ...content, data: 'empty' })
  assert.match(empty.untrusted.text, /Hello you of : /)
  const unknown = await stranger.refused(preview, { ...content, contact_id })
  assert.equal(unknown.code, 'not_found')
  assert.equal(unknown.details.field, 'contact_id')
})

test('blocks and texts are previewed, and a fault is told by its place', async () => {
  const blocks = [{ type: 'heading', text: 'Hi {{ contact.name }}' }]
  const shown = await caller.get<Shown>(preview, { subject: 'Hi', blocks })
  assert.match(shown.untrusted.html ?? '', /Hi Ana<\/h1>/)
  const text = await caller.get<Shown>(preview, { channel: 'sms', text: 'Hi {{ contact.name }}' })
  assert.equal(text.segments, 1)
  const wrong = await caller.refused(preview, {
    subject: 'Hi',
    blocks: [{ type: 'image', src: 'https://a.example/b.png' }],
  })
  assert.equal(wrong.details.field, 'blocks[0].alt')
})

test('the versions of a template are listed, and each is read with its source', async () => {
  const first = { name: 'Receipt', subject: 'Receipt', html: '<p>One</p>' }
  const { template_id } = await caller.get<{ template_id: string }>(save, first)
  await caller.get(save, { template_id, html: '<p>Two</p>' })
  interface Listed {
    versions: { version: number; source?: object; through_connection: boolean }[]
  }
  const { versions } = await caller.get<Listed>(templateVersions, { template_id })
  assert.deepEqual(
    versions.map(({ version, source, through_connection }) => [
      version,
      source,
      through_connection,
    ]),
    [
      [2, undefined, true],
      [1, undefined, true],
    ],
  )
  const one = await caller.get<Listed>(templateVersions, { template_id, version: 1 })
  assert.deepEqual(one.versions[0]?.source, { subject: 'Receipt', html: '<p>One</p>' })
  assert.deepEqual(
    (await caller.get<Listed>(templateVersions, { template_id, version: 3 })).versions,
    [],
  )
  const other = await stranger.refused(templateVersions, { template_id })
  assert.equal(other.code, 'not_found')
})
