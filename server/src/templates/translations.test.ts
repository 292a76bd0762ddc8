/** Translations of a template: how they are saved, checked, and chosen for a person. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import type { Id } from '../core/ids.ts'
import { parseId } from '../core/ids.ts'
import { lookUpLanguage } from '../lib/text/language-tag.ts'
import { createTemplates, type Templates } from './compile.ts'
import { templateList } from './list.ts'
import { templateSave } from './save.ts'
import { templateLimits } from './source.ts'
import { compiledFor, findTemplateVersion } from './version.ts'

let database: TestDatabase
let businessId: Id<'business'>
let caller: Caller
let templates: Templates
let save: ReturnType<typeof templateSave>
before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock: new ManualClock() }, businessId)
  templates = createTemplates({ deadlineMs: 30_000 })
  save = templateSave({ templates })
})
after(async () => {
  await templates.close()
  await database.drop()
})

interface Saved {
  template_id: string
  version: number
  needs: string[]
  warnings: string[]
  previews: { data: string; language?: string; subject: string; text: string }[]
}

interface Source {
  subject: string
  html?: string
  text?: string
  translations?: Record<string, Source>
}

const welcome = { name: 'Welcome', subject: 'Welcome', html: '<p>Hello {{ contact.name }}</p>' }
const german = { subject: 'Willkommen', html: '<p>Hallo {{ contact.name }}: {{ total }}</p>' }

const saved = (input: object) => caller.get<Saved>(save, input)
const sourceOf = async (template_id: string) => {
  const { templates: found } = await caller.get<{
    templates: { source: Source; needs: string[]; outdated: string[] }[]
  }>(templateList, { template_id })
  assert.ok(found[0])
  return found[0]
}
const fault = async (translations: object, more: object = {}) => {
  const { code, message, details } = await caller.refused(save, {
    ...welcome,
    translations,
    ...more,
  })
  assert.equal(code, 'invalid_request')
  return { field: details.field, message }
}

test('a language is found by its tag, then without its region and script, and else not at all', () => {
  const tags = { de: 1, pt: 1, 'pt-BR': 1, 'zh-Hant': 1 }
  const found = ['de', 'de-AT', 'pt-BR', 'pt-PT', 'zh-Hant-TW', 'zh', 'fr', '', null, undefined]
  assert.deepEqual(
    found.map((language) => lookUpLanguage(tags, language)),
    ['de', 'de', 'pt-BR', 'pt', 'zh-Hant', undefined, undefined, undefined, undefined, undefined],
  )
  assert.equal(lookUpLanguage(tags, 'constructor'), undefined)
})

test('translations are stored by canonical tag, previewed with sample data, and chosen for a person', async () => {
  const answer = await saved({
    ...welcome,
    translations: { 'PT-br': { ...german, subject: 'Oi' }, de: german },
  })
  assert.deepEqual(
    answer.previews.map(({ data, language, subject }) => [data, language, subject]),
    [
      ['sample', undefined, 'Welcome'],
      ['longest', undefined, 'Welcome'],
      ['empty', undefined, 'Welcome'],
      ['sample', 'de', 'Willkommen'],
      ['sample', 'pt-BR', 'Oi'],
    ],
  )
  assert.deepEqual(answer.needs, ['total'])
  const { source, needs } = await sourceOf(answer.template_id)
  assert.deepEqual(Object.keys(source.translations ?? {}), ['de', 'pt-BR'])
  assert.deepEqual(source.translations?.['de'], german)
  assert.deepEqual(needs, ['total'])
  const id = parseId('template', answer.template_id)
  const version = id && (await findTemplateVersion(database.db, businessId, id))
  assert.ok(version)
  const subjects = ['de-CH', 'pt-BR', 'pt', null].map(
    (language) => compiledFor(version.compiled, language).parts.subject,
  )
  assert.deepEqual(subjects, ['Willkommen', 'Oi', 'Welcome', 'Welcome'])
})

test('a save changes the parts of translations that it names, and null removes one', async () => {
  const { template_id } = await saved({ ...welcome, translations: { de: german, fr: german } })
  const next = await saved({ template_id, translations: { de: { subject: 'Neu' }, fr: null } })
  assert.equal(next.version, 2)
  assert.deepEqual((await sourceOf(template_id)).source.translations, {
    de: { ...german, subject: 'Neu' },
  })
  assert.equal((await saved({ template_id, translations: { de: { subject: 'Neu' } } })).version, 2)
  assert.equal((await saved({ template_id, subject: 'Hi' })).version, 3)
  assert.ok((await sourceOf(template_id)).source.translations?.['de'], 'other saves keep them')
  await saved({ template_id, translations: { de: null } })
  assert.equal((await sourceOf(template_id)).source.translations, undefined)
})

test('a translation is outdated once the first language alone was changed after it', async () => {
  const outdated = async (template_id: string, change: object) => {
    await saved({ template_id, ...change })
    return (await sourceOf(template_id)).outdated
  }
  const { template_id } = await saved({ ...welcome, translations: { de: german, fr: german } })
  assert.deepEqual((await sourceOf(template_id)).outdated, [])
  assert.deepEqual(await outdated(template_id, { subject: 'Hi' }), ['de', 'fr'])
  assert.deepEqual(await outdated(template_id, { translations: { de: { subject: 'Neu' } } }), [
    'fr',
  ])
  const both = { subject: 'Hello', translations: { fr: { subject: 'Salut' } } }
  assert.deepEqual(await outdated(template_id, both), ['de'])
  assert.deepEqual(await outdated(template_id, { name: 'Other' }), ['de'], 'a name is no content')
  assert.deepEqual(await outdated(template_id, { translations: { de: null } }), [])
})

test('a translation that could not be sent is refused, with the place of the fault', async () => {
  const cases: [object, string][] = [
    [{ german }, 'translations.german'],
    [{ de: german, DE: german }, 'translations.DE'],
    [{ de: 'Hallo' }, 'translations.de'],
    [{ de: { ...german, body: 'x' } }, 'translations.de.body'],
    [{ de: { subject: 5 } }, 'translations.de.subject'],
    [{ de: { subject: 'Hallo' } }, 'translations.de.html'],
    [{ de: { html: 'x' } }, 'translations.de.subject'],
    [{ de: { ...german, html: '{% if a %}' } }, 'translations.de.html'],
    [{ de: { ...german, mjml: '<mjml></mjml>' } }, 'translations.de.mjml'],
    [{ de: { subject: 'x', blocks: [{ type: 'nope' }] } }, 'translations.de.blocks[0].type'],
    [
      { de: { ...german, html: '{% for i in (1..1000000000) %}{% endfor %}' } },
      'translations.de.html',
    ],
  ]
  for (const [translations, field] of cases) {
    const found = await fault(translations)
    assert.equal(found.field, field, found.message)
  }
  const sms = { channel: 'sms', subject: undefined, html: undefined, text: 'Hi' }
  assert.equal((await fault({ de: german }, sms)).field, 'translations.de.subject')
  const long = await saved({
    ...welcome,
    translations: { de: { ...german, subject: '{{ contact.name }}' } },
  })
  assert.deepEqual(long.warnings, ['de: subject comes out empty with empty data.'])
})

test('blocks of a translation say its language, and a text message has translations too', async () => {
  const blocks = [{ type: 'heading', text: 'Hallo' }]
  const { template_id } = await saved({
    ...welcome,
    translations: { de: { subject: 'Hallo', blocks } },
  })
  const id = parseId('template', template_id)
  const version = id && (await findTemplateVersion(database.db, businessId, id))
  assert.match(version?.compiled.translations?.['de']?.parts.html ?? '', /lang="de"/)
  const sms = await saved({
    name: 'Reminder',
    channel: 'sms',
    text: 'See you',
    translations: { de: { text: 'Bis bald' } },
  })
  assert.deepEqual(
    sms.previews.flatMap(({ language, text }) => (language ? [`${language} ${text}`] : [])),
    ['de Bis bald'],
  )
})

test('at most twenty translations and a megabyte of them are taken', async () => {
  const tags = Array.from({ length: templateLimits.translations + 1 }, (_, n) => `de-x-l${n}`)
  const many = (count: number) =>
    Object.fromEntries(tags.slice(0, count).map((tag) => [tag, german]))
  const most = await saved({
    ...welcome,
    translations: many(templateLimits.translations),
    dry_run: true,
  })
  assert.equal(most.previews.length, 3 + templateLimits.translations)
  const tooMany = await fault(many(templateLimits.translations + 1))
  assert.match(tooMany.message, /are 21; the limit is 20/)
  const one = (less: number) => ({
    subject: 'x',
    text: 'x'.repeat(templateLimits.bodyLength - less),
  })
  const four = Object.fromEntries(tags.slice(0, 4).map((tag) => [tag, one(0)]))
  const spare = JSON.stringify(four).length - templateLimits.translationsLength
  const last = tags[3] ?? ''
  await saved({ ...welcome, translations: { ...four, [last]: one(spare) }, dry_run: true })
  const { message } = await fault({ ...four, [last]: one(spare - 1) })
  assert.match(message, /at most 1048576 characters/)
})
