/** Values that a call brings itself: filled in for the recipient, or refused by name. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import type { ToolCaller } from '../../../tests/support/clients/tool-caller.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { listInbox } from '../core/inbox/mail-queries.ts'
import { listTexts } from '../core/inbox/phone-queries.ts'

let testbed: OwnTestbed
let owner: ToolCaller
before(async () => {
  testbed = await openTestbed()
  owner = await testbed.caller({ businesses: [await testbed.newBusiness('scale')] })
})
after(() => testbed.close())

interface Sent {
  message_id: string
  status: string
  segments?: number
  duplicate?: boolean
}

const mailTo = async (to: string) => {
  const [mail] = await eventually(
    () => listInbox(testbed.db, to, 10),
    (all) => all.length > 0,
  )
  assert.ok(mail)
  return mail
}

const refusalOf = async (tool: string, input: object) => {
  const { kind, text, body } = await owner.call(tool, input)
  assert.equal(kind, 'refusal', text.slice(0, 300))
  return body as { code: string; field?: string; message: string }
}

test('a mail without a template is filled in for its contact, addressed by id or by email address', async () => {
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: 'ana@example.com',
    name: '<Ana>',
    attributes: { city: 'Köln' },
  })
  const own = {
    subject: 'For {{ contact.name }}',
    html: '<p>{{ contact.name }} in {{ contact.attributes.city }}: {{ order.total }}</p>',
    variables: { order: { total: '<b>12</b>' }, contact: { name: 'Eve' } },
  }
  await owner.get<Sent>('email.send', { contact_id, ...own })
  const mail = await mailTo('ana@example.com')
  assert.equal(mail.subject, 'For <Ana>')
  assert.match(mail.html ?? '', /<p>&lt;Ana&gt; in Köln: &lt;b&gt;12&lt;\/b&gt;<\/p>/)
  assert.match(mail.text, /<Ana> in Köln: <b>12<\/b>/)
  const again = await owner.get<Sent>('email.send', { to: 'ana@example.com', ...own })
  assert.equal(again.duplicate, true)
})

test('a recipient who is not a contact gets the default values of template variables', async () => {
  const to = 'nobody@example.com'
  const text = 'Dear {{ contact.name | default: "friend" }}{{ contact.attributes.city }}!'
  await owner.get<Sent>('email.send', { to, subject: 'Hello', text, variables: {} })
  assert.equal((await mailTo(to)).text.trim(), 'Dear friend!')
})

test('the same mail with other variables is another message, and with the same variables a duplicate', async () => {
  const own = { to: 'codes@example.com', subject: 'Code', text: 'It is {{ code }}.' }
  const send = (code: string) => owner.get<Sent>('email.send', { ...own, variables: { code } })
  const [first, other, again] = [await send('1'), await send('2'), await send('1')]
  assert.equal(first.duplicate, undefined)
  assert.equal(other.duplicate, undefined)
  assert.equal(again.message_id, first.message_id)
})

test('a template variable without a value is refused, and the refusal names the variable and the part', async () => {
  const to = 'refused@example.com'
  const wrong = await refusalOf('email.send', {
    to,
    subject: 'Hello',
    html: '<p>{{ contact.nmae }} {{ order.total }} {{ order.id }}</p>',
    variables: { order: { id: 7 } },
  })
  assert.equal(wrong.code, 'invalid_request')
  assert.equal(wrong.field, 'html')
  assert.match(wrong.message, /\{\{ contact\.nmae \}\}, \{\{ order\.total \}\}/)
  assert.doesNotMatch(wrong.message, /order\.id/)
  assert.match(wrong.message, /contact\.name.*raw/)
  const own = { contact: { nmae: 'x' }, constructor: 1 }
  const still = await refusalOf('email.send', {
    to,
    subject: '{{ contact.nmae }}',
    text: 'x',
    variables: own,
  })
  assert.equal(still.field, 'subject')
  const text = '{{ toString }}'
  const variables = {}
  const bare = await refusalOf('email.send', { to, subject: 'A', text, variables })
  assert.equal(bare.field, 'text')
  const asked = '{% if vip %}Yes{% endif %}{{ coupon | upcase | default: "none" }}'
  await owner.get<Sent>('email.send', { to, subject: 'A', text: asked, variables })
  assert.equal((await mailTo(to)).text.trim(), 'none')
})

test('a Liquid error is refused with its line, and literal braces are written with raw', async () => {
  const to = 'raw@example.com'
  const wrong = await refusalOf('email.send', {
    to,
    subject: 'A',
    text: 'one\n{% iff x %}\nthree',
    variables: {},
  })
  assert.equal(wrong.field, 'text')
  assert.match(wrong.message, /line 2.*raw/)
  const text = '{% raw %}{{ contact.name }}{% endraw %}'
  await owner.get<Sent>('email.send', { to, subject: 'A', text, variables: {} })
  assert.equal((await mailTo(to)).text.trim(), '{{ contact.name }}')
  const subject = '{{ contact.name }}'
  const empty = await refusalOf('email.send', { to, subject, text: 'x', variables: {} })
  assert.equal(empty.field, 'subject')
  const long = { to, subject: '{{ s }}', text: 'x', variables: { s: 'x'.repeat(501) } }
  assert.equal((await refusalOf('email.send', long)).code, 'too_large')
})

test('a line break in a template variable cannot add a header to the mail', async () => {
  const to = 'headers@example.com'
  const variables = { name: 'Eve\r\nBcc: eve@example.com' }
  await owner.get<Sent>('email.send', { to, subject: 'From {{ name }}', text: 'x', variables })
  assert.equal((await mailTo(to)).subject, 'From Eve Bcc: eve@example.com')
})

test('a text is filled in before its segments are counted', async () => {
  const phone = '+33612345678'
  await owner.get('contact.upsert', { phone, name: 'Ana' })
  const text = '{{ contact.name }}: {{ words }}'
  const variables = { words: 'x'.repeat(160) }
  const sent = await owner.get<Sent>('sms.send', { to: phone, text, variables })
  assert.equal(sent.segments, 2)
  const [message] = await eventually(
    () => listTexts(testbed.db, phone, 10),
    (all) => all.length > 0,
  )
  assert.equal(message?.body, `Ana: ${variables.words}`)
  const again = await owner.get<Sent>('sms.send', { to: phone, text, variables })
  assert.equal(again.duplicate, true)
  const wrong = await refusalOf('sms.send', { to: phone, text: '{{ wrods }}', variables })
  assert.equal(wrong.field, 'text')
  assert.match(wrong.message, /\{\{ wrods \}\}/)
})
