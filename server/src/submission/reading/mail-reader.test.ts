import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isRefusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { createMailReader, type MailReader, mailReaderLimits } from './mail-reader.ts'

const businessId = newId('business')
const open: MailReader[] = []
after(() => Promise.all(open.map((reader) => reader.close())))

async function read(source: string, limits = mailReaderLimits) {
  const reader = createMailReader(limits)
  open.push(reader)
  return reader.read(Buffer.from(source), businessId)
}

const head = 'From: "Ana <x>" <a@b.test>\r\nTo: Team: c@d.test, e@f.test;\r\nSubject: Hi\r\n'

test('the fields, texts and files of a mail are read', async () => {
  const parts = [
    'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nHello',
    'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==',
    'Content-Type: message/rfc822\r\n\r\nSubject: Inner\r\n\r\nInner text',
  ]
  const mail = await read(
    `${head}X-Crier-Tags: =?utf-8?q?gr=C3=BCn?=\r\n${parts.join('\r\n--x\r\n')}\r\n--x--\r\n`,
  )
  assert.ok(!isRefusal(mail))
  assert.equal(mail.from, 'Ana x <a@b.test>')
  assert.deepEqual(mail.to, ['c@d.test', 'e@f.test'])
  assert.match(mail.text ?? '', /^Hello/)
  assert.deepEqual(mail.settings, [['tags', 'grün']])
  assert.deepEqual(
    mail.files.map(({ filename, content_type }) => [filename, content_type]),
    [
      ['attachment-1', 'application/pdf'],
      ['attachment-2', 'message/rfc822'],
    ],
  )
  assert.equal(mail.files[0]?.content, 'JVBERg==')
})

test('a mail of the most lines is read, and one line more is refused as too large', async () => {
  const limits = { ...mailReaderLimits, lines: 10 }
  const mail = (lines: number) => `${head}\r\n${'x\r\n'.repeat(lines - 4)}`
  assert.ok(!isRefusal(await read(mail(10), limits)))
  const refused = await read(mail(11), limits)
  assert.ok(isRefusal(refused))
  assert.equal(refused.code, 'too_large')
})

test('parts nested deeper than ten, and a mail that takes longer than its deadline, are refused', async () => {
  const nested = Array.from(
    { length: 12 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  ).join('')
  const slow = `${head}\r\n${'\n'.repeat(299_000)}`
  for (const refused of [
    await read(`${head}${nested}\r\nHello`),
    await read(slow, { ...mailReaderLimits, deadlineMs: 50 }),
  ]) {
    assert.ok(isRefusal(refused))
    assert.equal(refused.code, 'invalid_request')
  }
})
