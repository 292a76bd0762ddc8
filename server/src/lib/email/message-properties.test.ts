/** Properties of every message, whatever names, subjects and texts it is built from. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { fc } from '../../../../tests/support/properties.ts'
import { isRefusal } from '../../core/errors.ts'
import { oneLine } from './header-fields.ts'
import { buildMessage, type MailToBuild, viewOfMessage } from './message.ts'
import { relaxedBody } from './message-scratch.ts'
import { cut } from './quoted-printable.ts'

// Texts that end lines somewhere, start fields, end quotes or encoded words, or are long.
const nasty = fc.constantFrom(
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\t',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u000b',
  '\u202e',
  '\ud800',
  '\r\nBcc: eve@example.net\r\n',
  '\r\n\r\n<script>',
  '\n.\r\n',
  '=?UTF-8?Q?=0D=0ABcc:_eve@example.net?=',
  '=?',
  '?=',
  '"',
  '\\',
  '<eve@example.net>',
  ', eve@example.net',
  '=3D',
  '= \n',
  'From ',
  '--=_',
  ' ',
  '  ',
  '😀👩‍👩‍👧',
  'größe',
  'كلمة',
  '漢字'.repeat(40),
  'x'.repeat(1200),
)
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

const mail = { messageId: 'one@example.com', date: new Date('2026-03-01T12:00:00Z') }
const fixed = ['from', 'to', 'subject', 'date', 'message-id', 'mime-version']
const runs = { numRuns: 300 }

function linesOf(message: Buffer): string[] {
  const raw = message.toString('latin1')
  assert.ok(!/(^|[^\r])\n|\r(?!\n)/.test(raw), 'a line end is CRLF')
  assert.ok(!/[^\r\n -~]/.test(raw), 'every byte is printable ASCII')
  assert.ok(!/^(?:\.|From )/m.test(raw), 'no line is one that servers change on its way')
  return raw.split('\r\n')
}

/** Decoders split joined words at other places, which changes nothing that people see. */
const squeezed = (value: string) => value.replace(/\s+/g, ' ').trim()

test('no display name or subject adds or ends a header field, and all are read back unchanged', async () => {
  const property = fc.asyncProperty(text, text, text, async (from, to, subject) => {
    const built = await buildMessage({
      ...mail,
      from: { name: from, address: 'ana@example.com' },
      to: { name: to, address: 'bob@example.org' },
      subject,
      text: 'Hello',
    })
    for (const line of linesOf(built)) assert.ok(line.length <= 78, line)
    const message = await PostalMime.parse(built)
    const names = message.headers.map(({ key }) => key).toSorted()
    const expected = [...fixed, 'content-type', 'content-transfer-encoding'].toSorted()
    assert.deepEqual(names, expected)
    assert.equal(message.from?.address, 'ana@example.com')
    assert.deepEqual(
      message.to?.map(({ address }) => address),
      ['bob@example.org'],
    )
    assert.equal(squeezed(message.subject ?? ''), squeezed(oneLine(subject)))
    assert.equal(squeezed(message.to?.[0]?.name ?? ''), squeezed(oneLine(to)))
    assert.equal(message.text?.trimEnd(), 'Hello')
  })
  await fc.assert(property, runs)
})

test('text and HTML bodies are read back unchanged, in lines that every server accepts', async () => {
  const property = fc.asyncProperty(text, text, async (plain, html) => {
    const built = await buildMessage({
      ...mail,
      from: 'ana@example.com',
      to: 'bob@example.org',
      subject: 'Hello',
      text: plain,
      html,
    })
    for (const line of linesOf(built)) assert.ok(line.length <= 78, line)
    const message = await PostalMime.parse(built)
    assert.equal(unended(message.text), unended(plain))
    assert.equal(unended(message.html), unended(html))
  })
  await fc.assert(property, runs)
})

/** The text as UTF-8 represents it, with one kind of line end, and without those at its end. */
function unended(value = ''): string {
  return value.toWellFormed().replace(/\r\n?/g, '\n').replace(/\n+$/, '')
}

test('a message built from pieces equals the message built from the whole text', async () => {
  const piece = fc.record({ text, kept: fc.boolean() })
  const property = fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
    const content = pieces.map((entry) => (entry.kept ? cut(entry.text) : entry.text))
    const whole = content
      .map((entry) => (typeof entry === 'string' ? line(entry) : entry.text))
      .join('')
    const build = (html: MailToBuild['html']) =>
      buildMessage({
        ...mail,
        from: 'ana@example.com',
        to: 'bob@example.org',
        subject: 'Hello',
        text: 'Hello',
        ...(html !== undefined && { html }),
      })
    const [spliced, composed] = await Promise.all([build(content), build(whole)])
    for (const one of linesOf(spliced)) assert.ok(one.length <= 78, one)
    const [a, b] = await Promise.all([PostalMime.parse(spliced), PostalMime.parse(composed)])
    assert.deepEqual(a, b)
  })
  await fc.assert(property, runs)
})

test('the body kept for signing is the relaxed canonical form', async () => {
  const piece = fc.record({ text, kept: fc.boolean() })
  const property = fc.property(fc.array(piece, { maxLength: 8 }), text, (pieces, plain) => {
    const html = pieces.map((entry) => (entry.kept ? cut(entry.text) : entry.text))
    const fields = { from: 'ana@example.com', to: 'bob@example.org', subject: 'Hello' }
    for (const texts of [{ html }, { html, text: plain }]) {
      const view = viewOfMessage({ ...mail, ...fields, ...texts })
      const body = view.message.subarray(view.message.indexOf('\r\n\r\n') + 4)
      assert.equal(view.relaxedBody.toString('latin1'), relaxedBody(body).toString('latin1'))
    }
  })
  fc.assert(property, runs)
  const indented = cut('<p>\n  Hello,\n    Bob\n</p>\n')
  assert.notEqual(indented.relaxed.length, indented.encoded.length)
})

const line = (value: string) => value.toWellFormed().replace(/\r\n?/g, '\n')

test('with arbitrary fields and addresses a message is refused or has no extra header fields', async () => {
  const property = fc.asyncProperty(text, text, text, text, async (name, value, address, id) => {
    const given: MailToBuild = {
      from: 'ana@example.com',
      to: { address: `b${address}@example.org` },
      subject: 'Hello',
      text: 'Hello',
      headers: [[`X-${name}`, value]],
      ...mail,
      messageId: `${id}@example.com`,
    }
    for (const change of [{}, { to: 'bob@example.org' }, { headers: [] }, mail]) {
      const built = await buildMessage({ ...given, ...change }).catch((error: unknown) => error)
      if (isRefusal(built)) continue
      assert.ok(Buffer.isBuffer(built), String(built))
      for (const one of linesOf(built)) assert.ok(one.length <= 998)
      const { headers, to } = await PostalMime.parse(built)
      assert.ok(headers.length <= fixed.length + 3)
      assert.equal(to?.length, 1)
      assert.ok(!headers.some(({ key }) => key === 'bcc'))
    }
  })
  await fc.assert(property, runs)
})
