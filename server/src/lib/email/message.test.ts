import assert from 'node:assert/strict'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { refused } from '../../../../tests/support/refused.ts'
import { attachmentLimits, buildMessage, type MailToBuild } from './message.ts'

const mail: MailToBuild = {
  from: 'Ana <ana@example.com>',
  to: 'bob@example.org',
  subject: 'Hello',
  text: 'Hello Bob',
  messageId: 'one@example.com',
  date: new Date('2026-03-01T12:00:00Z'),
}

async function read(change: Partial<MailToBuild>) {
  return PostalMime.parse(await buildMessage({ ...mail, ...change }))
}

async function faultyField(change: Partial<MailToBuild>) {
  const [built] = await Promise.allSettled([buildMessage({ ...mail, ...change })])
  assert.equal(built.status, 'rejected', `it was built: ${JSON.stringify(change)}`)
  return refused(built.reason).details.field
}

test('a built message contains everything that was given', async () => {
  const message = await read({
    replyTo: 'Help desk <help@example.com>',
    html: '<p>Grüße</p>',
    text: 'Grüße',
    headers: [['Feedback-ID', 'a:b:c:d']],
    attachments: [
      { filename: 'price list.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') },
    ],
  })
  assert.deepEqual(message.from, { name: 'Ana', address: 'ana@example.com' })
  assert.deepEqual(message.to, [{ name: '', address: 'bob@example.org' }])
  assert.deepEqual(message.replyTo, [{ name: 'Help desk', address: 'help@example.com' }])
  assert.equal(message.subject, 'Hello')
  assert.equal(message.messageId, '<one@example.com>')
  assert.equal(message.date, '2026-03-01T12:00:00.000Z')
  assert.equal(message.html?.trimEnd(), '<p>Grüße</p>')
  assert.equal(message.text?.trimEnd(), 'Grüße')
  assert.equal(message.headers.find(({ key }) => key === 'feedback-id')?.value, 'a:b:c:d')
  const [file] = message.attachments
  assert.deepEqual([file?.filename, file?.mimeType], ['price list.pdf', 'application/pdf'])
  assert.equal(Buffer.from(file?.content as ArrayBuffer).toString(), '%PDF')
})

test('a message can have text only, HTML only or both', async () => {
  const shape = async (change: Partial<MailToBuild>) => {
    const { text, html } = await read(change)
    return [text?.trimEnd(), html?.trimEnd()]
  }
  assert.deepEqual(await shape({ text: 'a' }), ['a', undefined])
  const { text: _, ...bare } = mail
  const alone = await PostalMime.parse(await buildMessage({ ...bare, html: '<p>b' }))
  assert.equal(alone.html?.trimEnd(), '<p>b')
  assert.deepEqual(await shape({ text: 'a', html: '<p>b' }), ['a', '<p>b'])
})

test('an international domain is sent as A-labels, and a non-ASCII local part is refused', async () => {
  const { to } = await read({ to: 'Bob <bob@bücher.example>' })
  assert.deepEqual(to, [{ name: 'Bob', address: 'bob@xn--bcher-kva.example' }])
  assert.equal(await faultyField({ to: 'größe@example.org' }), 'to')
})

test('an invalid address is refused at its field', async () => {
  const wrong = [
    '',
    'bob',
    '@example.org',
    'bob@',
    'bob@example.org, eve@example.net',
    'a b@example.org',
    'bob@exa mple.org',
    'bob@example.org\r\nBcc: eve@example.net',
    'bob@example.org\0',
    '<bob@example.org> <eve@example.net>',
    'bob..b@example.org',
    `${'x'.repeat(65)}@example.org`,
    `bob@${'x'.repeat(64)}.org`,
    'bob@example.org:25',
    'bob@%65xample.org',
  ]
  for (const address of wrong) {
    assert.equal(await faultyField({ to: address }), 'to', address)
    assert.equal(await faultyField({ to: { address } }), 'to', address)
    assert.equal(await faultyField({ from: { name: 'Ana', address } }), 'from', address)
    assert.equal(await faultyField({ replyTo: address }), 'reply_to', address)
  }
})

test('reserved header fields and values of several lines are refused', async () => {
  const names = ['From', 'bcc', 'Content-Type', 'content-language', 'DKIM-Signature', 'Received']
  for (const name of [...names, 'Resent-To', 'X Y', 'X:', '', 'X\r\nBcc', 'Größe']) {
    assert.equal(await faultyField({ headers: [[name, 'value']] }), 'headers', name)
  }
  for (const value of ['', ' a', 'a ', 'a\r\nBcc: b', 'a\nb', 'a\0b', 'a\tb', 'é', 'a\u2028b']) {
    assert.equal(
      await faultyField({ headers: [['X-Note', value]] }),
      'headers',
      JSON.stringify(value),
    )
  }
  assert.equal(await faultyField({ headers: [['X-Note', 'x'.repeat(901)]] }), 'headers')
  await read({ headers: [['X-Note', 'x'.repeat(900)]] })
})

test('a message id must be an id and a domain', async () => {
  for (const messageId of ['', 'one', 'a b@example.com', 'a@b\r\nBcc: c', '<<a@b>>', 'a@b>c']) {
    assert.equal(await faultyField({ messageId }), 'message_id', messageId)
  }
  const { messageId } = await read({ messageId: '<two@example.com>' })
  assert.equal(messageId, '<two@example.com>')
})

test('attachment names contain no path and stay readable', async () => {
  const named = async (filename: string) => {
    const content = Buffer.from('x')
    const { attachments } = await read({
      attachments: [{ filename, contentType: 'text/csv', content }],
    })
    return attachments[0]?.filename
  }
  assert.equal(await named('Preisliste größer.csv'), 'Preisliste größer.csv')
  assert.equal(await named('../../etc/passwd'), '_.._etc_passwd')
  assert.equal(await named('C:\\con'), 'C_con')
  assert.equal(await named('a\r\nBcc: b.csv'), 'a Bcc_ b.csv')
  assert.equal(await named('gnp\u202efdp.exe'), 'gnpfdp.exe')
  assert.equal(await named('"; filename="b.exe'), '_; filename=_b.exe')
  assert.equal(await named('..'), 'attachment')
  const long = (await named(`${'é'.repeat(300)}.csv`)) ?? ''
  assert.ok(long.endsWith('é.csv') && Buffer.byteLength(long) <= 150, long)
})

test('an invitation to an event keeps its method, by which mail programs offer an answer', async () => {
  const invitation = {
    filename: 'lunch.ics',
    contentType: 'text/calendar; method=REQUEST; charset=utf-8',
    content: Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n'),
  }
  const built = (await buildMessage({ ...mail, attachments: [invitation] })).toString()
  // RFC 6047, section 2.4
  assert.match(built, /^Content-Type: text\/calendar;(?:\s+[^;\r]+;)*\s+method=REQUEST/m)
})

test('attachments are limited in number and size', async () => {
  const file = (bytes: number) => ({
    filename: 'a.bin',
    contentType: 'application/octet-stream',
    content: Buffer.alloc(bytes),
  })
  const files = (n: number) => Array.from({ length: n }, () => file(1))
  await read({ attachments: files(attachmentLimits.files) })
  assert.equal(await faultyField({ attachments: files(attachmentLimits.files + 1) }), 'attachments')
  await buildMessage({ ...mail, attachments: [file(attachmentLimits.bytes)] })
  const over = [file(attachmentLimits.bytes), file(1)]
  assert.equal(await faultyField({ attachments: over }), 'attachments')
})

test('an attachment cannot have a multipart, message or malformed content type', async () => {
  for (const contentType of [
    'message/rfc822',
    'multipart/mixed',
    'text',
    'a/b\r\nX: y',
    'a/b; c',
  ]) {
    const attachments = [{ filename: 'a', contentType, content: Buffer.from('x') }]
    assert.equal(await faultyField({ attachments }), 'attachments[0].content_type', contentType)
  }
})
