import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftIn } from '../../../../tests/support/businesses/campaign-drafts.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import type { Archive } from '../../accounts/businesses/business.ts'
import { archiveLimits } from '../../config/archive.ts'
import { isRefusal } from '../../core/errors.ts'
import { createTemplates } from '../../templates/compile.ts'
import { findVariants } from '../campaign.ts'
import { createArchiveMails } from './mails.ts'

const templates = createTemplates()
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

const archive: Archive = {
  name: 'Shop',
  language: 'en',
  colour: null,
  timeZone: 'UTC',
  postalAddress: null,
  title: null,
  description: null,
  formId: null,
  settingsVersion: 1,
  changedAt: new Date(),
}

async function scene(html: string, subject = 'News') {
  const { db } = database
  const { businessId, campaignId } = await draftIn(db, 0, { subject, html })
  const [variant] = await findVariants(db, businessId, campaignId)
  assert.ok(variant)
  let renders = 0
  const preview: typeof templates.preview = (template, variables) => {
    renders++
    return templates.preview(template, variables)
  }
  const mails = createArchiveMails({ db, templates: { preview } })
  const moment = new Date()
  const { versionId } = variant
  const campaign = { id: campaignId, sentAt: moment, completedAt: moment, versionId }
  const reader = { businessId, archive, url: 'https://crier.test/archive/bus_1', languages: [] }
  return { mails, campaign, reader, renders: () => renders }
}

test('a crowd of readers has a mail rendered once, until a setting changes', async () => {
  const { mails, campaign, reader, renders } = await scene('<p>{{ business.name }}</p>')
  const read = (more: Partial<Archive> = {}) =>
    mails.mailOf({ ...reader, archive: { ...archive, ...more } }, campaign)
  await Promise.all(Array.from({ length: 50 }, () => read()))
  await Promise.all(Array.from({ length: 50 }, () => mails.titleOf(reader, campaign)))
  await read()
  assert.equal(renders(), 1)
  const renamed = await read({ name: 'Bakery', settingsVersion: 2 })
  assert.ok(renamed && !isRefusal(renamed) && renamed.html?.includes('<p>Bakery</p>'))
  assert.equal(renders(), 2)
})

test('kept mails take no more than their bytes, and subjects outlive them', async () => {
  // Of HTML and of text as many characters, each of two bytes: two mails fit, a third does not.
  const most = archiveLimits.keptBytes / 3 / 4
  const html = `<p>{% for n in (1..${Math.ceil(most / 200)}) %}${'x'.repeat(200)}{% endfor %}</p>`
  const { mails, campaign, reader, renders } = await scene(html)
  const at = (url: string) => ({ ...reader, url })
  const read = async (url: string) => {
    const mail = await mails.mailOf(at(url), campaign)
    assert.ok(mail && !isRefusal(mail))
    return renders()
  }
  const [first, second, third] = ['https://a.test', 'https://b.test', 'https://c.test'] as const
  assert.deepEqual([await read(first), await read(second), await read(first)], [1, 2, 2])
  assert.deepEqual([await read(third), await read(first), await read(second)], [3, 3, 4])
  for (const url of [first, second, third]) await mails.titleOf(at(url), campaign)
  assert.equal(renders(), 4)
})
