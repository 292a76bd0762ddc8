import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { isRefusal } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { createTemplates, type Templates } from './compile.ts'
import { templateList } from './list.ts'
import type { Preview } from './previews.ts'
import { templateSave } from './save.ts'
import { templateLimits } from './source.ts'
import { findTemplateVersion } from './version.ts'

let database: TestDatabase
let businessId: Id<'business'>
let caller: Caller
let templates: Templates
let save: ReturnType<typeof templateSave>
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock }, businessId)
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
  previews: (Preview & { html_bytes: number; segments?: number; encoding?: string })[]
}

interface Listed {
  templates: { template_id: string; version: number; name: string; source?: object }[]
  next_cursor?: string
}

const welcome = {
  name: 'Welcome',
  subject: 'Welcome, {{ contact.name }}',
  html: '<p>Hello {{ contact.name | default: "you" }} of {{ business.name }}: {{ order.total }}</p>',
}

const saved = (input: object) => caller.get<Saved>(save, input)
const read = async (template_id: string) =>
  (await caller.get<Listed>(templateList, { template_id })).templates[0]

test('a new template is version 1 and is previewed with three kinds of data', async () => {
  const { template_id, version, needs, warnings, previews } = await saved(welcome)
  assert.equal(version, 1)
  assert.deepEqual(needs, ['order.total'])
  assert.deepEqual(warnings, [])
  assert.deepEqual(
    previews.map(({ data, subject, html }) => [data, subject.slice(0, 12), html]),
    [
      ['sample', 'Welcome, Ana', undefined],
      ['longest', 'Welcome, <b>', undefined],
      ['empty', 'Welcome, ', undefined],
    ],
  )
  assert.match(previews[0]?.text ?? '', /^Hello Ana of .*: total$/)
  assert.match(previews[2]?.text ?? '', /^Hello you of .*: $/)
  const { name: _, ...source } = welcome
  assert.deepEqual((await read(template_id))?.source, source)
})

test('previews show the business’s own data and a test link in place of each recipient’s own', async () => {
  const html = '<p>{{ business.postal_address }}|{{ unsubscribe_url }}|{{ contact.name }}</p>'
  const shown = async () => {
    const { previews } = await saved({ name: 'Footer', subject: 'News', html, dry_run: true })
    return previews.map((preview) =>
      /<p>(.*)<\/p>/
        .exec(preview.html ?? '')?.[1]
        ?.split('|')
        .slice(0, 2),
    )
  }
  assert.deepEqual(await shown(), Array(3).fill(['', templates.testUrl]))
  await setBusiness(database.db, businessId, {
    key: 'postal_address',
    value: '5 High Street',
    now: clock.now(),
  })
  assert.deepEqual(await shown(), Array(3).fill(['5 High Street', templates.testUrl]))
})

test('a dry run shows the HTML and saves nothing', async () => {
  const variables = { order: { total: '<12>' } }
  const answer = await saved({ ...welcome, variables, dry_run: true })
  assert.equal(answer.template_id, undefined)
  assert.match(answer.previews[0]?.html ?? '', /<p>Hello Ana of .*: &lt;12&gt;<\/p>/)
  assert.match(answer.previews[1]?.html ?? '', /Hello &lt;b&gt;&quot;Maximiliana/)
  const { n } = await database.db.one<{ n: number }>(
    sql`select count(*) as n from template_versions where source::text like '%order.total%'`,
  )
  assert.equal(n, 1, 'that of the test before')
})

test('a change leaves omitted parts as they are, and an empty text removes a part', async () => {
  const { template_id } = await saved({ ...welcome, preheader: 'Look', text: 'Hello' })
  clock.forward(1000)
  assert.equal((await saved({ template_id, subject: 'New' })).version, 2)
  assert.deepEqual((await read(template_id))?.source, {
    subject: 'New',
    preheader: 'Look',
    html: welcome.html,
    text: 'Hello',
  })
  await saved({ template_id, preheader: '', text: '' })
  assert.deepEqual((await read(template_id))?.source, { subject: 'New', html: welcome.html })
  const mjml =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>'
  await saved({ template_id, mjml })
  assert.deepEqual((await read(template_id))?.source, { subject: 'New', mjml })
})

test('saving the same template makes no new version, and a new name makes one', async () => {
  const { template_id } = await saved(welcome)
  assert.equal((await saved({ template_id, ...welcome })).version, 1)
  assert.equal((await saved({ template_id, name: 'Hello' })).version, 2)
  assert.equal((await read(template_id))?.name, 'Hello')
})

test('template versions that were sent stay unchanged', async () => {
  const { template_id } = await saved(welcome)
  const id = parseId('template', template_id)
  assert.ok(id)
  const first = await findTemplateVersion(database.db, businessId, id)
  assert.ok(first)
  await saved({ template_id, subject: 'Second' })
  const second = await findTemplateVersion(database.db, businessId, id)
  assert.ok(second)
  assert.notEqual(first.versionId, second.versionId)
  const mail = await templates.render({ businessId, compiled: second.compiled }, {})
  assert.ok(!isRefusal(mail))
  assert.equal(mail.subject, 'Second')
  const rows = await database.db.all<{ source: { subject: string } }>(
    sql`select source from template_versions
      where business_id = ${businessId} and template_id = ${id} order by version`,
  )
  assert.deepEqual(
    rows.map(({ source }) => source.subject),
    [welcome.subject, 'Second'],
  )
})

test('of two simultaneous changes, the later one may be refused as a conflict', async () => {
  const { template_id } = await saved(welcome)
  const both = await Promise.all(
    ['One', 'Two'].map((subject) => caller.ask(save, { template_id, subject })),
  )
  const late = both.filter(isRefusal)
  const { version } = (await read(template_id)) ?? {}
  assert.ok(late.length <= 1)
  for (const refusal of late) {
    assert.equal(refusal.code, 'conflict')
    assert.equal(refusal.details.fix?.tool, 'template.list')
  }
  assert.equal(version, 3 - late.length)
})

test('a template that could not be sent is not saved, and the refusal names the part', async () => {
  const cases: [object, string][] = [
    [{ html: '{% if a %}' }, 'html'],
    [{ subject: '{{ a | nope }}' }, 'subject'],
    [{ preheader: '{% include "a" %}' }, 'preheader'],
    [{ text: '{{' }, 'text'],
    [{ html: '{% for i in (1..1000000000) %}{% endfor %}' }, 'html'],
    [{ html: '' }, 'html'],
    [{ html: 'x', mjml: '<mjml></mjml>' }, 'mjml'],
    [{ html: 'x'.repeat(templateLimits.bodyLength + 1) }, 'html'],
    [{ name: ' x' }, 'name'],
    [{ channel: 'sms' }, 'subject'],
  ]
  for (const [change, field] of cases) {
    const refusal = await caller.refused(save, { ...welcome, ...change })
    assert.deepEqual([refusal.code, refusal.details.field], ['invalid_request', field])
  }
  const { name: _, ...nameless } = welcome
  assert.equal((await caller.refused(save, nameless)).details.field, 'name')
})

test('authors are warned of content that mailboxes cut and of subjects that come out empty', async () => {
  const long = await saved({ ...welcome, html: `<p>${'word '.repeat(21_000)}</p>` })
  assert.match(long.warnings.join(), /Gmail hides/)
  const empty = await saved({ ...welcome, subject: '{{ contact.name }}' })
  assert.deepEqual(empty.warnings, ['subject comes out empty with empty data.'])
})

test('a template for text messages has a text part only', async () => {
  const { template_id, previews } = await saved({
    name: 'Code',
    channel: 'sms',
    text: '{{ code }}',
  })
  assert.equal(previews[0]?.text, 'code')
  assert.deepEqual((await read(template_id))?.source, { text: '{{ code }}' })
  const refusal = await caller.refused(save, { template_id, channel: 'email' })
  assert.equal(refusal.details.field, 'channel')
})

test('templates are listed by page, newest first, without their sources', async () => {
  const own = callerIn({ db: database.db, clock }, await newBusiness(database.db))
  const ids: string[] = []
  for (const n of [1, 2, 3]) {
    const { template_id } = await own.get<Saved>(save, { ...welcome, name: `T${n}` })
    ids.unshift(template_id)
  }
  const first = await own.get<Listed>(templateList, { limit: 2 })
  assert.deepEqual(
    first.templates.map((template) => [template.template_id, template.source]),
    [
      [ids[0], undefined],
      [ids[1], undefined],
    ],
  )
  const second = await own.get<Listed>(templateList, { limit: 2, cursor: first.next_cursor })
  assert.deepEqual(
    second.templates.map((template) => template.template_id),
    [ids[2]],
  )
})

test('a template of another business is answered as if it did not exist', async () => {
  const { template_id } = await saved(welcome)
  const other = callerIn({ db: database.db, clock }, await newBusiness(database.db))
  for (const [operation, input] of [
    [save, { template_id, subject: 'Mine' }],
    [templateList, { template_id }],
  ] as const) {
    assert.equal((await other.refused(operation, input)).code, 'not_found')
  }
})

test('two saves with the same idempotency key create one template', async () => {
  const input = { ...welcome, idempotency_key: 'once' }
  assert.equal((await saved(input)).template_id, (await saved(input)).template_id)
})

test('the preview of a text message shows its number of segments for each kind of data', async () => {
  const text = { channel: 'sms', text: 'Hello {{ contact.name | truncate: 200 }}', dry_run: true }
  const { previews } = await saved({ ...text, name: 'Counted' })
  const counted = previews.map((preview) => [preview.data, preview.segments, preview.encoding])
  assert.deepEqual(counted.slice(0, 2), [
    ['sample', 1, 'gsm-7'],
    ['longest', 2, 'ucs-2'],
  ])
})
