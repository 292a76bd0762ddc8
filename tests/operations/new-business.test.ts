/** A business that is made by copying: what it gets, and what it never gets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { businessLimits } from 'crier-server/accounts/businesses/create.ts'
import { formatId, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { yes } from '../support/businesses/campaigns.ts'
import { type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Created {
  business_id: string
  copied: { kind: string; count: number }[]
  left_out: { kind: string; name: string; why: string }[]
}

async function source() {
  const { businessId, owner } = await testbed.someone('growth')
  const app = await testbed.appCaller({ businesses: [businessId], role: 'owner' })
  return { businessId, owner, app }
}

test('a copy has templates, forms, segments and settings of its own, with its own ids', async () => {
  const { businessId, owner, app } = await source()
  await owner.get('business.save', {
    language: 'de',
    time_zone: 'Europe/Berlin',
    postal_address: '1 Example Street',
    colour: '#112233',
    two_people: true,
    reply_to: 'answers@shop.example',
  })
  await owner.get('brand.set', {
    font: 'georgia',
    radius: 3,
    header: [{ type: 'heading', text: 'The first shop' }],
    social: [{ network: 'x', url: 'https://x.com/first' }],
  })
  await owner.get('topic.save', { topic: 'offers', name: 'Offers' })
  const body = { subject: 'Hello', html: '<p>Hi</p>' }
  const template = await owner.get<{ template_id: string }>('template.save', {
    name: 'Welcome',
    key: 'welcome',
    ...body,
  })
  await owner.get('template.save', { template_id: template.template_id, subject: 'Hello again' })
  const fields = [
    { key: 'email', label: 'Email', type: 'email', required: true },
    { key: 'agree', label: 'Send me mail', type: 'consent' },
    { key: 'about', label: 'About', type: 'topics', options: ['offers'] },
  ]
  const form = { name: 'Join', status: 'published', fields }
  const { form_id } = await owner.get<{ form_id: string }>('form.save', form)
  await owner.get('form.save', { name: 'Old', status: 'archived', fields })
  await owner.get('contact.upsert', { email: 'ana@example.com', consent: { email: yes } })
  const campaign = await owner.get<{ campaign_id: string }>('campaign.generate', {
    channel: 'email',
    content: body,
  })
  const segment = (name: string, filter: object) =>
    owner.get<{ segment_id: string }>('segment.save', { name, filter })
  const joined = await segment('Joined', { did: 'form.submitted', form_id })
  const wanted = { and: [{ segment: joined.segment_id }, { topic: 'offers', is: 'subscribed' }] }
  await segment('Wants offers', { not: wanted })
  await segment('Welcomed', { did: 'message.opened', template_id: template.template_id })
  const { campaign_id } = campaign
  const opened = await segment('Opened', { did: 'message.opened', campaign_id })
  await segment('Opened too', { segment: opened.segment_id })

  const copy = ['settings', 'templates', 'forms', 'segments']
  const created = await app.get<Created>('business.create', { name: 'Second shop', copy })
  assert.deepEqual(
    created.copied.map(({ kind, count }) => [kind, count]),
    [
      ['settings', 1],
      ['templates', 1],
      ['forms', 1],
      ['segments', 3],
    ],
  )
  assert.deepEqual(
    created.left_out.map(({ name, why }) => [name, why]),
    [
      ['Opened', 'names_campaign'],
      ['Opened too', 'names_what_is_not_copied'],
    ],
  )

  const { business_id } = created
  const read = <T>(name: string, input: object = {}) => app.get<T>(name, { business_id, ...input })
  const settings = await read<Record<string, unknown>>('business.get')
  // It has the tier of new businesses and not that of the original.
  const { name, tier, role, language, time_zone, colour, two_people } = settings
  assert.deepEqual(
    { name, tier, role, language, time_zone, colour, two_people },
    {
      name: 'Second shop',
      tier: 'scale',
      role: 'owner',
      language: 'de',
      time_zone: 'Europe/Berlin',
      colour: '#112233',
      two_people: false,
    },
  )
  assert.deepEqual([settings['postal_address'], settings['reply_to']], [null, null])
  const { font, radius, header, social } = await read<Record<string, unknown>>('brand.get')
  assert.deepEqual([font, radius, header, social], ['georgia', 3, [], []])

  const { templates } = await read<{
    templates: { template_id: string; version: number; key?: string }[]
  }>('template.list', { view: 'full' })
  assert.deepEqual(
    templates.map(({ version, key }) => [version, key]),
    [[1, 'welcome']],
  )
  const template_id = templates[0]?.template_id ?? ''
  assert.notEqual(template_id, template.template_id)
  const whole = await read<{ templates: { source: { subject: string } }[] }>('template.list', {
    template_id,
  })
  assert.equal(whole.templates[0]?.source.subject, 'Hello again')
  type Forms = { forms: { form_id: string; name: string; status: string; fields: object[] }[] }
  const { forms } = await read<Forms>('form.list')
  assert.deepEqual(
    forms.map(({ name, status }) => [name, status]),
    [['Join', 'draft']],
  )
  assert.notEqual(forms[0]?.form_id, form_id)
  const topics = await read<{ topics: { topic: string }[] }>('topic.list')
  assert.deepEqual(
    topics.topics.map(({ topic }) => topic),
    ['offers'],
  )
  type Segments = { segments: { segment_id: string; name: string; filter: object }[] }
  const { segments } = await read<Segments>('segment.list', { view: 'full' })
  const filters = Object.fromEntries(segments.map(({ name, filter }) => [name, filter]))
  const copied = segments.find(({ name }) => name === 'Joined')?.segment_id
  assert.deepEqual(filters, {
    Joined: { did: 'form.submitted', form_id: forms[0]?.form_id },
    'Wants offers': {
      not: { and: [{ segment: copied }, { topic: 'offers', is: 'subscribed' }] },
    },
    Welcomed: { did: 'message.opened', template_id },
  })
  // The copies work: the filter counts, the form is published, the template is saved anew.
  await read('segment.explain', { filter: filters['Wants offers'] })
  await read('form.save', { form_id: forms[0]?.form_id, status: 'published' })
  await read('template.save', { template_id, subject: 'Changed' })
  const before = await owner.get<{ templates: { source: { subject: string } }[] }>(
    'template.list',
    { template_id: template.template_id },
  )
  assert.equal(before.templates[0]?.source.subject, 'Hello again')

  const to = parseId('business', business_id)
  assert.ok(to)
  const rows = await testbed.db.one<Record<string, number>>(sql`
    select (select count(*) from contacts where business_id = ${to}) as contacts,
      (select count(*) from consent_events where business_id = ${to}) as consents,
      (select count(*) from domains where business_id = ${to}) as domains,
      (select count(*) from api_keys where business_id = ${to}) as keys,
      (select count(*) from campaigns where business_id = ${to}) as campaigns,
      (select count(*) from memberships where business_id = ${to}) as members,
      (select count(*) from audit_entries where business_id = ${to} and action = 'business.create') as audited,
      (select count(*) from audit_entries
        where business_id = ${businessId} and action = 'business.create') as asked
  `)
  const none = { contacts: 0, consents: 0, domains: 0, keys: 0, campaigns: 0 }
  assert.deepEqual(rows, { ...none, members: 1, audited: 1, asked: 1 })
})

test('nothing is copied but what was chosen, and segments go with what they name alone', async () => {
  const { businessId, owner, app } = await source()
  const fields = [{ key: 'email', label: 'Email', type: 'email', required: true }]
  const { form_id } = await owner.get<{ form_id: string }>('form.save', { name: 'Join', fields })
  await owner.get('segment.save', { name: 'Joined', filter: { did: 'form.submitted', form_id } })
  const blank = await app.get<Created>('business.create', { name: 'Blank' })
  assert.deepEqual([blank.copied, blank.left_out], [[], []])
  const { left_out } = await app.get<Created>('business.create', {
    business_id: formatId('business', businessId),
    name: 'Part',
    copy: ['segments'],
  })
  assert.deepEqual(left_out, [
    { kind: 'segments', name: 'Joined', why: 'names_what_is_not_copied' },
  ])
  const forms = await app.get<{ forms: object[] }>('form.list', { business_id: blank.business_id })
  assert.deepEqual(forms.forms, [])
})

test('a business is made by owners alone, with a name, and up to the limit', async () => {
  const { businessId, app } = await source()
  const editor = await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  const answer = await editor.call('business.create', { name: 'Mine' })
  assert.deepEqual([answer.kind, answer.body['code']], ['refusal', 'role_required'])
  const nameless = await app.call('business.create', { name: '  ' })
  assert.deepEqual([nameless.kind, nameless.body['field']], ['refusal', 'name'])
  const other = await source()
  const { business_id } = await other.app.get<Created>('business.create', { name: 'Theirs' })
  const stolen = await app.call('business.create', { business_id, name: 'Copy', copy: ['forms'] })
  assert.equal(stolen.kind, 'refusal')
  const { owned } = businessLimits
  await testbed.db.run(sql`
    with made as (
      insert into businesses (id, name, tier, created_at, updated_at)
      select gen_random_uuid(), 'Filler', 'free', now(), now()
      from generate_series(1, ${owned - 2}::int)
      returning id
    )
    insert into memberships (business_id, user_id, role, created_at)
    select id, ${app.userId}, 'owner', now() from made
  `)
  const first = { business_id: formatId('business', businessId), name: 'Last' }
  assert.equal((await app.call('business.create', first)).kind, 'answer')
  const over = await app.call('business.create', first)
  assert.deepEqual([over.kind, over.body['code']], ['refusal', 'conflict'])
})
