import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import PostalMime from 'postal-mime'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { findInboxMessage, listInbox } from '../core/inbox/mail-queries.ts'
import { sql } from '../lib/db/db.ts'
import { mailFieldLimits } from './mail-fields.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

interface Copy {
  to: string
  message_id?: string
  status?: string
  error?: { code: string }
}
interface Sent {
  message_id: string
  status: string
  copies?: Copy[]
}

const words = { subject: 'Your order', text: 'Thank you.', html: '<p>Thank you.</p>' }

/** The parsed mail that arrived at this address. */
async function arrived(to: string) {
  const [shown] = await eventually(
    () => listInbox(testbed.db, to, 10),
    (mails) => mails.length > 0,
  )
  assert.ok(shown)
  const mail = await findInboxMessage(testbed.db, shown.id)
  assert.ok(mail)
  return PostalMime.parse(mail.source)
}

const addresses = (list: { address?: string | undefined }[] = []) =>
  list.map((entry) => entry.address)

test('each copy is a message of its own, and its headers show the original recipient', async () => {
  const { owner } = await testbed.someone('scale')
  const [to, cc, bcc] = ['to@copies.example', 'cc@copies.example', 'bcc@copies.example']
  const sent = await owner.get<Sent>('email.send', { to, cc: [cc], bcc: [bcc, cc], ...words })
  assert.deepEqual(
    sent.copies?.map((copy) => [copy.to, copy.status]),
    [
      [cc, 'queued'],
      [bcc, 'queued'],
    ],
  )
  const ids = [sent.message_id, ...(sent.copies ?? []).map(({ message_id }) => message_id)]
  assert.equal(new Set(ids).size, 3)
  for (const address of [to, cc, bcc]) {
    const mail = await arrived(address)
    assert.deepEqual([addresses(mail.to), addresses(mail.cc)], [[to], [cc]], address)
    assert.ok(!mail.headers.some(({ value }) => value.includes(bcc)), address)
  }
  const messageIds = await Promise.all(
    [to, cc, bcc].map(async (text) => (await arrived(text)).messageId),
  )
  assert.equal(new Set(messageIds).size, 3, 'each is found again by its own Message-ID')
})

test('a copy to a suppressed address is refused alone, and a mail to one is refused with its copies', async () => {
  const { owner } = await testbed.someone('scale')
  const blocked = 'blocked@copies.example'
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: blocked,
  })
  await owner.get('contact.suppress', { contact_id })
  const fine = await owner.get<Sent>('email.send', {
    to: 'fine@copies.example',
    cc: [blocked, 'third@copies.example'],
    ...words,
  })
  assert.deepEqual(
    fine.copies?.map(({ to, status, error }) => [to, status ?? error?.code]),
    [
      [blocked, 'conflict'],
      ['third@copies.example', 'queued'],
    ],
  )
  const answer = await owner.call('email.send', {
    to: blocked,
    cc: ['fourth@copies.example'],
    ...words,
  })
  assert.equal(answer.body['code'], 'conflict')
  await arrived('third@copies.example')
  assert.deepEqual(await listInbox(testbed.db, 'fourth@copies.example', 1), [])
})

test('a mail carries the reply-to address, thread headers and custom headers of the call', async () => {
  const { owner } = await testbed.someone('scale')
  const to = 'thread@headers.example'
  const headers = {
    'In-Reply-To': '<first@headers.example>',
    References: '<first@headers.example> <second@headers.example>',
    'X-Order': '1234',
  }
  await owner.get('email.send', { to, ...words, reply_to: 'Desk <desk@headers.example>', headers })
  const mail = await arrived(to)
  assert.deepEqual(addresses(mail.replyTo), ['desk@headers.example'])
  const found = Object.keys(headers).map(
    (name) => mail.headers.find(({ key }) => key === name.toLowerCase())?.value,
  )
  assert.deepEqual(found, Object.values(headers))
})

test('a call may send from another address of the business’s own domain', async () => {
  const { owner } = await testbed.someone('scale')
  await owner.get('business.save', { sender: { name: 'Shop', email: 'hello@shop.example' } })
  const to = 'from@headers.example'
  await owner.get('email.send', { to, ...words, from: 'Orders <orders@shop.example>' })
  assert.deepEqual((await arrived(to)).from, { name: 'Orders', address: 'orders@shop.example' })
})

test('an image that no attachment brings, an empty mail and a doubled address are refused by name', async () => {
  const { owner } = await testbed.someone('scale')
  const content = Buffer.from('picture').toString('base64')
  const logo = { filename: 'logo.png', content_type: 'image/png', content, content_id: 'logo@shop' }
  const html = '<p><img src="cid:logo%40shop"><img src=cid:other></p>'
  const cases: [mail: object, field: string, message: RegExp][] = [
    [{ html, attachments: [logo] }, 'html', /cid:other, and no attachment has that content_id/],
    [{ html: ' ', text: '\n' }, 'html', /message is empty/],
    [{ text: '  ' }, 'text', /message is empty/],
    [
      { text: 'x', cc: ['a@b.example', 'a@b.example'] },
      'cc',
      /same entry twice, at \[0\] and \[1\]/,
    ],
  ]
  for (const [mail, field, message] of cases) {
    const { body } = await owner.call('email.send', { to: 'a@b.example', subject: 'Hi', ...mail })
    assert.equal(body['field'], field)
    assert.match(String(body['message']), message)
  }
})

test('an image with a content_id is shown inline in the HTML, and other files are attachments', async () => {
  const { owner } = await testbed.someone('scale')
  const to = 'image@inline.example'
  const content = Buffer.from('picture').toString('base64')
  await owner.get('email.send', {
    to,
    ...words,
    html: '<p><img src="cid:logo" alt="Logo"></p>',
    attachments: [
      { filename: 'logo.png', content_type: 'image/png', content, content_id: 'logo' },
      { filename: 'bill.pdf', content_type: 'application/pdf', content },
    ],
  })
  const { html, text, attachments } = await arrived(to)
  assert.match(html ?? '', /src="cid:logo"/)
  assert.equal(text?.trim(), words.text)
  assert.deepEqual(
    attachments.map(({ filename, disposition, contentId, related }) => ({
      filename,
      disposition,
      contentId,
      related,
    })),
    [
      { filename: 'logo.png', disposition: 'inline', contentId: '<logo>', related: true },
      { filename: 'bill.pdf', disposition: 'attachment', contentId: undefined, related: undefined },
    ],
  )
})

test('a mail from a template accepts the same header and attachment fields', async () => {
  const { owner } = await testbed.someone('scale')
  const to = 'template@headers.example'
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Receipt',
    subject: 'Receipt {{ n }}',
    html: '<p>Number {{ n }}</p>',
  })
  const headers = { 'X-Order': '77' }
  await owner.get('email.send', { to, template_id, variables: { n: 7 }, headers })
  const mail = await arrived(to)
  assert.equal(mail.subject, 'Receipt 7')
  assert.equal(mail.headers.find(({ key }) => key === 'x-order')?.value, '77')
})

test('a mail with an invalid field is refused, the field is named, and nothing is queued', async () => {
  const { owner } = await testbed.someone('scale')
  const to = 'refused@headers.example'
  const many = (n: number) => Array.from({ length: n }, (_, i) => `copy${i}@headers.example`)
  const headers = (n: number) => Object.fromEntries(many(n).map((_, i) => [`X-Field-${i}`, 'a']))
  const file = { filename: 'a.png', content_type: 'image/png', content: 'AAAA' }
  const table: [input: object, field: string][] = [
    [{ from: 'not an address' }, 'from'],
    [{ reply_to: 'nobody' }, 'reply_to'],
    [{ cc: ['a@b.example', 'nobody'] }, 'cc[1]'],
    [{ cc: many(mailFieldLimits.copies + 1) }, 'cc'],
    [{ bcc: ['a@b.example'], kind: 'marketing' }, 'bcc'],
    [{ headers: { Subject: 'Another' } }, 'headers.Subject'],
    [{ headers: { 'List-Unsubscribe': 'https://a.example' } }, 'headers.List-Unsubscribe'],
    [{ headers: { 'List-Unsubscribe': '<javascript:x>' } }, 'headers.List-Unsubscribe'],
    [
      { headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } },
      'headers.List-Unsubscribe-Post',
    ],
    [{ headers: { 'List-Id': 'weekly' } }, 'headers.List-Id'],
    [{ headers: { Precedence: 'urgent' } }, 'headers.Precedence'],
    [{ headers: { 'Auto-Submitted': 'maybe' } }, 'headers.Auto-Submitted'],
    [{ reply_to: ['a@b.example', 'nobody'] }, 'reply_to[1]'],
    [{ headers: { 'X-Crier-Id': '1' } }, 'headers.X-Crier-Id'],
    [{ headers: { 'X-A': 'one\r\nBcc: b@c.example' } }, 'headers.X-A'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a'],
    [{ headers: headers(mailFieldLimits.headers + 1) }, 'headers'],
    [{ attachments: [{ ...file, content_id: 'a b' }] }, 'attachments[0].content_id'],
  ]
  for (const [input, field] of table) {
    const answer = await owner.call('email.send', { to, ...words, ...input })
    assert.deepEqual([answer.body['code'], answer.body['field']], ['invalid_request', field])
  }
  const { n } = await testbed.db.one<{ n: number }>(
    sql`select count(*)::int as n from messages where recipient = ${to}`,
  )
  assert.equal(n, 0)
  const most = { cc: many(mailFieldLimits.copies), headers: headers(mailFieldLimits.headers) }
  const sent = await owner.get<Sent>('email.send', { to, ...words, ...most })
  assert.equal(sent.copies?.length, mailFieldLimits.copies)
})

test('a mail and its copies share one limit on the size of attachments', async () => {
  const grant = { businesses: [await testbed.newBusiness('scale')] }
  const caller = await testbed.restCaller(grant)
  const content = Buffer.alloc(mailFieldLimits.copiedBytes / 4, 'x').toString('base64')
  const file = { filename: 'a.pdf', content_type: 'application/pdf', content }
  const copies = ['one@large.example', 'two@large.example', 'three@large.example']
  const mail = { to: 'to@large.example', ...words, attachments: [file] }
  const fits = await caller.call('email.send', { ...mail, cc: copies })
  assert.equal(fits.kind, 'answer', fits.text)
  const over = await caller.call('email.send', { ...mail, cc: copies, bcc: ['four@large.example'] })
  assert.deepEqual([over.body['code'], over.body['field']], ['too_large', 'attachments'])
})

test('a mail carries the fields of lists, several reply addresses and the name of its recipient', async () => {
  const { owner } = await testbed.someone('scale')
  const to = 'lists@headers.example'
  const headers = {
    'List-Unsubscribe': '<https://blog.example/u/1>, <mailto:leave@blog.example>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': 'Weekly <weekly.blog.example>',
    Precedence: 'bulk',
    'Auto-Submitted': 'auto-generated',
  }
  const reply_to = ['a@headers.example', 'Desk <b@headers.example>']
  await owner.get('email.send', { to: `"O'Neil, Pat" <${to}>`, ...words, reply_to, headers })
  const mail = await arrived(to)
  assert.deepEqual(addresses(mail.replyTo), ['a@headers.example', 'b@headers.example'])
  assert.deepEqual(mail.to, [{ name: "O'Neil, Pat", address: to }])
  for (const [name, value] of Object.entries(headers)) {
    const found = mail.headers.filter(({ key }) => key === name.toLowerCase())
    assert.deepEqual(
      found.map((field) => field.value),
      [value],
    )
  }
})

test('one mail goes to several people who see each other, and a suppressed one is left out', async () => {
  const { owner } = await testbed.someone('scale')
  const [ana, bo, cy] = ['ana@several.example', 'bo@several.example', 'cy@several.example']
  await owner.get('contact.suppress', { email: ana })
  const to = [ana, `Bo <${bo}>`, cy]
  const cc = ['desk@several.example']
  const sent = await owner.get<Sent & { warnings: string[] }>('email.send', { to, cc, ...words })
  assert.deepEqual(
    sent.copies?.map((copy) => [copy.to, copy.status ?? copy.error?.code]),
    [
      [ana, 'conflict'],
      [cy, 'queued'],
      [cc[0], 'queued'],
    ],
  )
  assert.match(sent.warnings.join(), /^ana@several\.example does not get it: /)
  for (const person of [bo, cy, ...cc]) {
    const mail = await arrived(person)
    assert.deepEqual(addresses(mail.to), [ana, bo, cy])
    assert.deepEqual(addresses(mail.cc), cc)
  }
  assert.equal(
    (await owner.get<{ to: string }>('message.get', { message_id: sent.message_id })).to,
    bo,
  )
  const used = await owner.get<{ counters: { metric: string; used: number }[] }>('meta.usage', {})
  assert.equal(used.counters.find(({ metric }) => metric === 'emails')?.used, 3)

  const people = (n: number) => Array.from({ length: n }, (_, i) => `p-${i}@several.example`)
  const most = mailFieldLimits.recipients
  await owner.get('email.send', { to: people(most), ...words })
  for (const [input, field] of [
    [{ to: people(most + 1) }, 'to'],
    [{ to: [] }, 'to'],
    [{ to: [bo, `Bo <${bo.toUpperCase()}>`] }, 'to[1]'],
    [{ to: [bo, 'nobody'] }, 'to[1]'],
    [{ to: [bo, cy], kind: 'marketing' }, 'to'],
    [{ to: [ana] }, 'to'],
  ] as const) {
    const { kind, body } = await owner.call('email.send', { ...input, ...words })
    assert.deepEqual([kind, body['field']], ['refusal', field], JSON.stringify(input))
  }
})

test('an erased person is removed from the headers of copies that others received', async () => {
  const { owner } = await testbed.someone('scale')
  const person = 'erased@copies.example'
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: person,
  })
  await owner.get('email.send', { to: person, cc: ['other@copies.example'], ...words })
  await owner.get('email.send', { to: 'writer@copies.example', cc: [person], ...words })
  for (const one of [person, 'other@copies.example', 'writer@copies.example']) await arrived(one)
  const named = async () => {
    const { n } = await testbed.db.one<{ n: number }>(sql`
      select count(*)::int as n from message_contents
      where header_fields::text like ${`%${person}%`}
    `)
    return n
  }
  assert.equal(await named(), 3)
  await owner.get('contact.erase', { contact_id })
  await eventually(named, (n) => n === 0)
})
