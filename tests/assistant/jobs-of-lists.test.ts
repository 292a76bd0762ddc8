/**
 * Jobs of an owner about people, forms and figures (`jobs.ts`), each done over the tools alone by an
 * assistant that knows no name and no id in advance.
 */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { eventually } from '../support/time/eventually.ts'
import { jobs, ownersYes } from './jobs.ts'
import { entriesWith, idOf, idWith } from './worker.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

const { job } = jobs(() => testbed)
const consent = { email: { status: 'subscribed', source: 'checkout page' } }

interface Listed {
  contacts: { contact_id: string; email: string; tags: string[]; consent: { email: string } }[]
}

job(1, async ({ worker, owner }) => {
  const said = { status: 'subscribed', source: 'paper, market stall', at: '2026-11-21T12:00:00Z' }
  const rows = [
    { name: 'Lena Brix', email: 'lena@example.com', attributes: { town: 'Thun' } },
    { name: 'Otto Vahl', email: 'otto@example,com', attributes: { town: 'Bern' } },
    { name: 'Lena Brix', email: 'LENA@example.com', attributes: { town: 'Thun' } },
    { email: 'june@example.org' },
  ].map((row) => ({ ...row, consent: { email: said } }))
  const answer = await worker.use('import contacts', [['contacts', rows]])
  const { created, unchanged, refused, refusals } = answer
  assert.deepEqual([created, unchanged, refused], [2, 1, 1])
  assert.match(worker.plain(refusals), /"rows":\[1\]/)
  const { contacts } = await owner.get<Listed>('contact.list', { email_consent: 'subscribed' })
  const addresses = contacts.map(({ email }) => email).toSorted()
  assert.deepEqual(addresses, ['june@example.org', 'lena@example.com'])
})

job(2, async ({ worker, owner }) => {
  await owner.get('contact.import', {
    contacts: ['Basel', 'Basel', 'Bern'].map((city, i) => {
      return { email: `who-${i}@example.com`, attributes: { city } }
    }),
  })
  const filter = {
    and: [
      { field: 'attributes.city', op: 'is', value: 'Basel' },
      { did: 'message.clicked', since: '2026-06-21' },
      { did_not: 'order' },
    ],
  }
  const answer = await worker.use('save a segment', [
    ['name', 'Basel, clicked since 21 June, not bought'],
    ['filter', filter],
  ])
  assert.match(worker.plain(answer), /"count":0.*never told of an event order/)
  assert.deepEqual((await owner.get<{ campaigns: [] }>('campaign.list')).campaigns, [])
})

job(6, async ({ worker, owner, draft, subscribers }) => {
  await subscribers(2)
  await owner.get('contact.upsert', {
    email: 'vera@example.com',
    name: 'Vera Keller-Amstad',
    consent: { email: { status: 'unsubscribed', source: 'a mail' } },
  })
  await draft({ name: 'Tuesday' })
  await eventually(
    () => owner.get<Listed>('contact.list', { q: 'Keller-Amstad' }),
    ({ contacts }) => contacts.length > 0,
  )
  const people = await worker.use('list contacts', [['part of the name', 'Keller-Amstad']])
  const campaigns = await worker.use('list campaigns', [['occurs in the name', 'Tuesday']])
  const why = await worker.use('explain a recipient', [
    ['campaign id', idWith(campaigns, /Tuesday/)],
    ['contact id', idWith(people, /Keller/)],
  ])
  assert.match(worker.plain(why), /unsubscribed/)
})

job(7, async ({ worker, owner }) => {
  await owner.get('contact.upsert', {
    email: 'bruno@example.com',
    name: 'Bruno Tal',
    consent: { email: { status: 'unsubscribed', source: 'a mail' } },
  })
  const list = await worker.use('list contacts', [['part of the name', 'Bruno']])
  const bruno = await worker.use('look at a contact', [['contact id', idWith(list, /Bruno/)]])
  assert.match(worker.plain(bruno), /"email":"unsubscribed".*"suppressed":\[\]/)
})

job(8, async (place) => {
  const { worker, owner } = place
  await owner.get('contact.upsert', { email: 'hollis@example.net', name: 'A. Hollis', consent })
  const list = await worker.use('list contacts', [['part of the address', 'hollis@example.net']])
  await ownersYes(place, list, {
    shows: [/hollis@example\.net/, /A\. Hollis/],
    nothingYet: async () =>
      assert.equal((await owner.get<Listed>('contact.list')).contacts.length, 1),
  })
  const erased = await worker.use('erase a contact', [['contact id', idWith(list, /hollis/)]])
  assert.match(worker.plain(erased), /"erased":true/)
  assert.deepEqual((await owner.get<Listed>('contact.list')).contacts, [])
})

job(9, async ({ worker, owner, subscribers }) => {
  await subscribers(3)
  await owner.get('contact.upsert', { email: 'who-1@example.com', tags: ['VIP'] })
  const everybody = { consent: 'email', is: 'subscribed' }
  const tagging = await worker.use('tag everybody a filter fits', [
    ['filter', everybody],
    ['add', ['VIP']],
  ])
  const id = ['tagging id', idOf(tagging)] as const
  await worker.until('tag everybody a filter fits', [id], /"state":"done"/)
  worker.restart()
  const undone = await worker.use('tag everybody a filter fits', [id, ['undo', true]])
  assert.match(worker.plain(undone), /tgg_/)
  await worker.until('tag everybody a filter fits', [id], /"state":"undone".*"undone":2/)
  const { contacts } = await owner.get<Listed>('contact.list', { tag: 'VIP' })
  assert.deepEqual(
    contacts.map(({ email }) => email),
    ['who-1@example.com'],
  )
})

job(10, async ({ worker, owner }) => {
  await owner.get('contact.import', {
    contacts: [
      ['Graz', '=HYPERLINK("x")'],
      ['Graz', 'Ida, "the tall"'],
      ['Wien', 'Otto'],
    ].map(([city, first_name], i) => {
      return {
        email: `who-${i}@example.com`,
        first_name,
        attributes: { city, last_order: '2026-11-01' },
      }
    }),
  })
  const filter = { field: 'attributes.city', op: 'is', value: 'Graz' }
  const made = await worker.use('export contacts', [
    ['filter', filter],
    ['text in the answer', true],
    ['columns', ['email', 'first_name', 'attributes.last_order']],
  ])
  const lines = [
    'email,first_name,attributes.last_order',
    `who-0@example.com,"'=HYPERLINK(""x"")",2026-11-01`,
    'who-1@example.com,"Ida, ""the tall""",2026-11-01',
  ]
  const { text } = made['untrusted'] as { text: string }
  assert.deepEqual(text.trim().split('\r\n'), lines)
})

/** The first of its month is past in every time zone. */
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()

job(11, async ({ worker, owner }) => {
  await owner.get('contact.upsert', { email: 'a@example.com', consent })
  const grown = await worker.use('how the audience grew', [
    ['from the first day', `${yesterday().slice(0, 7)}-01`],
    ['row for each month', 'month'],
  ])
  assert.match(worker.plain(grown), /"month":"\d{4}-\d\d","gained":1/)
  const made = await worker.use('what the audience is made of')
  assert.match(worker.plain(made), /"source":"api"/)
})

job(12, async ({ worker, owner }) => {
  await owner.get('contact.tag', { filter: { tag: 'a' }, add: ['b'] })
  await worker.use('save a segment', [
    ['name', 'Friends'],
    ['filter', { tag: 'friend' }],
  ])
  await worker.use('tag everybody a filter fits', [
    ['filter', { tag: 'friend' }],
    ['add', ['dear']],
  ])
  worker.restart()
  const done = await worker.use('what a connection did', [['since', anHourAgo()]])
  assert.match(worker.plain(done), /contact\.tag/)
  assert.match(worker.plain(done), /contact\.tag","count":1.*"undo":\{"tool":.*segment\.save/)
})

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

job(13, async ({ worker }) => {
  const added = await worker.use('add a domain', [['domain', 'brightloaf.example']])
  assert.match(worker.plain(added), /"type":"TXT".*_domainkey/)
  const state = await worker.use('domains', [['domain', 'brightloaf.example']])
  assert.match(worker.plain(state), /"status":"pending","summary":"Not verified yet/)
})

job(
  21,
  async ({ worker, owner }) => {
    const tooMany = Array.from({ length: 600 }, (_, i) => ({ email: `who-${i}@example.com` }))
    const usage = await worker.use('usage this month')
    assert.match(worker.plain(usage), /"limit":500/)
    const answer = await worker.use('import contacts', [['contacts', tooMany]])
    assert.match(worker.plain(answer), /"created":500.*"refused":100.*tier free allows 500/)
    assert.equal((await owner.get<Listed>('contact.list', { limit: 200 })).contacts.length, 200)
  },
  'free',
)

job(22, async ({ worker, owner }) => {
  await owner.get('contact.upsert', { email: 'marta@example.org', consent })
  await owner.get('suppression.import', {
    suppressions: [{ email: 'marta@example.org', reason: 'complaint' }],
  })
  const answer = await worker.use('save a contact', [
    ['email', 'marta@example.org'],
    ['consent', { email: { status: 'subscribed', source: 'said so by phone' } }],
  ])
  assert.match(worker.plain(answer), /stayed_unsubscribed.*http.*contacts\/con_/)
})

job(23, async ({ worker, owner }) => {
  for (const town of ['Thun', 'Bern']) {
    const email = `anna@${town.toLowerCase()}.example`
    await owner.get('contact.upsert', { email, name: 'Anna Schmid', attributes: { town } })
  }
  const list = await worker.use('list contacts', [['part of the name', 'Anna Schmid']])
  assert.equal(entriesWith(list, /"Anna Schmid"/).length, 5)
  await worker.use('save a contact', [
    ['email', 'anna@thun.example'],
    ['phone', '+41795550101'],
  ])
  const { contacts } = await owner.get<{ contacts: { phone?: string }[] }>('contact.list')
  assert.equal(contacts.filter(({ phone }) => phone === '+41795550101').length, 1)
})

job(25, async ({ worker }) => {
  const domains = await worker.use('domains')
  const bounced = await worker.use('list messages', [['status', 'bounced']])
  const checked = await worker.use('check addresses')
  assert.match(worker.plain([domains, bounced, checked]), /without_mail/)
})

job(26, async ({ worker }) => {
  const hook = await worker.use('save a webhook', [
    ['url', 'https://1.1.1.1/in'],
    ['events', ['contact.event']],
  ])
  assert.match(worker.plain(hook), /whsec_/)
  const sent = await worker.use('send a test event', [['webhook id', idOf(hook)]])
  assert.match(worker.plain(sent), /whd_|dlv_|delivery_id/)
})

job(27, async ({ worker, owner }) => {
  const old = { email: 'tom@example.net', name: 'Tom Reed', tags: ['regular'], consent }
  await owner.get('contact.upsert', old)
  await owner.get('contact.upsert', { email: 'tom@example.com', name: 'Tom Reed', tags: ['new'] })
  const list = await worker.use('list contacts', [['part of the name', 'Tom Reed']])
  const merged = await worker.use('merge contacts', [
    ['contact id', idWith(list, /tom@example\.com/)],
    ['other contact id', idWith(list, /tom@example\.net/)],
  ])
  assert.match(worker.plain(merged), /"held":\{|con_/)
})

job(28, async ({ worker, owner }) => {
  const fields = [
    { key: 'child', label: 'Your child’s name', type: 'text', required: true },
    { key: 'age', label: 'Age', type: 'number', required: true },
    { key: 'allergies', label: 'Allergies (only the camp’s team reads this)', type: 'textarea' },
    { key: 'phone', label: 'Your phone', type: 'phone', required: true },
    { key: 'photos', label: 'May we take photos?', type: 'radio', options: ['yes', 'no'] },
  ]
  const form = await worker.use('save a form', [
    ['name for the business', 'Summer camp'],
    ['status', 'published'],
    ['fields in order', fields],
  ])
  assert.match(worker.plain(form), /"url":"http/)
  const trial = await worker.use('submit a form', [
    ['form id', idOf(form)],
    ['answers', { child: 'Trial', age: '9', phone: '+41795550102', photos: 'no' }],
  ])
  const contactId = entriesWith(trial, /./)[0]?.['contact_id']
  await worker.use('erase a contact', [['contact id', contactId]])
  assert.deepEqual((await owner.get<Listed>('contact.list')).contacts, [])
})

job(30, async ({ worker, businessId }) => {
  const nephew = await testbed.caller({ businesses: [businessId], role: 'editor' })
  await nephew.get('segment.save', { name: 'Mine', filter: { tag: 'a' } })
  await nephew.get('contact.tag', { filter: { tag: 'a' }, add: ['b'] })
  const done = await worker.use('what a connection did', [
    ['every connection', true],
    ['since', new Date(Date.now() - 29 * 86_400_000).toISOString()],
  ])
  assert.match(worker.plain(done), /tgg_/)
  const help = await worker.find('remove a member, take access away')
  assert.match(worker.plain(help), /members/)
})

job(31, async ({ worker, owner }) => {
  const csv = 'Correo;Nombre;Ciudad\r\nana@example.com;Ana;Graz\r\nno address;Bea;Linz\r\n'
  const begun = await worker.use('begin an import of a file', [['file as text', csv]])
  const id = ['import id', idOf(begun)] as const
  const checked = await worker.until('get an import', [id], /"state":"ready"/)
  assert.match(worker.plain(checked), /"rows":2,"valid":1/)
  const mapping = { Ciudad: 'attributes.town' }
  await worker.use('start an import', [id, ['column becomes', mapping]])
  await worker.until('get an import', [id], /"state":"done"/)
  const { contacts } = await owner.get<Listed>('contact.list')
  assert.deepEqual(
    contacts.map(({ email }) => email),
    ['ana@example.com'],
  )
  await worker.use('undo an import', [id])
  await worker.until('get an import', [id], /"state":"undone"/)
  assert.deepEqual((await owner.get<Listed>('contact.list')).contacts, [])
})
