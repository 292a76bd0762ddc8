import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ed25519Key, rsaKey } from '../../../../tests/support/mail/dkim-keys.ts'
import { type Verifier, verifiers } from '../../../../tests/support/mail/dkim-verifiers.ts'
import { signMessage } from './dkim.ts'
import { buildMessage, type MailToBuild } from './message.ts'

const at = new Date('2026-03-01T12:00:00Z')
const rsa = rsaKey()
const ed25519 = ed25519Key()
const keys = { ...rsa.records, ...ed25519.records }

const mail: MailToBuild = {
  from: 'Ana Größe <ana@example.com>',
  to: { name: 'Bob', address: 'bob@example.org' },
  subject: 'Your order  is on its way',
  html: '<p>Hello  Bob,\n\n\tsee you \nsoon</p>\n\n\n',
  text: 'Hello  Bob',
  headers: [
    ['List-Unsubscribe', `<https://example.com/u/${'x'.repeat(80)}>, <mailto:u@example.com>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['Feedback-ID', 'camp:bus:marketing:crier'],
  ],
  messageId: 'one@example.com',
  date: at,
}

/** Skips the test if the program is not installed, except on the machine that must have it. */
function isThere(t: TestContext, { name, missing }: Verifier): boolean {
  if (missing === undefined) return true
  assert.ok(!process.env['CI'], `${name} is not installed: apt-get install ${missing}`)
  t.skip(`${name} IS NOT INSTALLED, so nothing was shown: apt-get install ${missing}`)
  return false
}

/** Bodies and headers that canonical forms treat specially. */
const odd: Partial<MailToBuild>[] = [
  { html: '' },
  { html: '\n\n\n' },
  { html: ' \t ', text: '\t' },
  { html: `${'word '.repeat(5000)}\n.\n..\nFrom here\n` },
  { subject: '', from: 'ana@example.com' },
  { subject: 'Größe '.repeat(60) },
  { replyTo: 'Help <help@example.com>', headers: [] },
]

for (const verifier of verifiers) {
  test(`RSA and ed25519 signatures are verified by ${verifier.name}`, async (t) => {
    if (!isThere(t, verifier)) return
    const messages = await Promise.all(
      [{}, ...odd].map(async (change) =>
        signMessage(await buildMessage({ ...mail, ...change }), [rsa.key, ed25519.key], at),
      ),
    )
    const both = [
      ['s1', true],
      ['e1', true],
    ]
    assert.deepEqual(
      await verifier.verify(messages, keys),
      messages.map(() => both),
    )
  })

  test(`a message changed in transit fails verification by ${verifier.name}`, async (t) => {
    if (!isThere(t, verifier)) return
    const signed = (await signMessage(await buildMessage(mail), [rsa.key], at)).toString('latin1')
    const atEnd = (fields: string) => signed.replace('\r\n\r\n', `\r\n${fields}\r\n\r\n`)
    const changed = {
      'a word of the body': signed.replace('soon', 'late'),
      'text after the body': `${signed}more\r\n`,
      'another sender': signed.replace('ana@example.com>', 'eve@example.com>'),
      'another subject': signed.replace('Your order', 'My order'),
      'one click taken away': signed.replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=No'),
      'another feedback id': signed.replace('camp:bus', 'camp:sub'),
      'another link to leave': signed.replace('https://example.com/u/', 'https://example.net/u/'),
      'a second sender': atEnd('From: eve@example.net'),
      'a second subject': atEnd('Subject: Mine'),
      'an answer to elsewhere': atEnd('Reply-To: eve@example.net'),
      'a copy to somebody': atEnd('Cc: eve@example.net'),
      'another time of signing': signed.replace(/ t=\d+/, ' t=1700000000'),
    }
    const answers = await verifier.verify(
      Object.values(changed).map((text) => Buffer.from(text, 'latin1')),
      keys,
    )
    assert.deepEqual(
      answers.map((answer, n) => [Object.keys(changed)[n], answer]),
      Object.keys(changed).map((what) => [what, [['s1', false]]]),
    )
  })

  test(`a signature by another key fails verification by ${verifier.name}`, async (t) => {
    if (!isThere(t, verifier)) return
    const signed = await signMessage(await buildMessage(mail), [rsa.key, ed25519.key], at)
    const others = { ...rsaKey().records, ...ed25519Key().records }
    assert.deepEqual(await verifier.verify([signed], others), [
      [
        ['s1', false],
        ['e1', false],
      ],
    ])
  })
}

test('a key of another type than declared is an error, and the message is not left unsigned', async () => {
  const message = await buildMessage(mail)
  for (const key of [
    { ...rsa.key, privateKey: ed25519.key.privateKey },
    { ...ed25519.key, privateKey: rsa.key.privateKey },
  ]) {
    await assert.rejects(signMessage(message, [key], at), /needs a key of/)
  }
})

test('text that is not a message is not signed', async () => {
  for (const text of ['', 'From: a@b.example\r\n', 'To: a@b.example\r\n\r\nHello', 'x\r\n\r\n']) {
    await assert.rejects(signMessage(Buffer.from(text), [rsa.key], at))
  }
})

test('a domain or selector that would break the header field is refused', async () => {
  const message = await buildMessage(mail)
  for (const name of ['', 'a;b', 'a b', 'a\r\nX: y', 'größe']) {
    await assert.rejects(signMessage(message, [{ ...rsa.key, domain: name }], at))
    await assert.rejects(signMessage(message, [{ ...rsa.key, selector: name }], at))
  }
})

test('every line of a DKIM signature is at most 78 characters', async () => {
  const domain = `${'a'.repeat(60)}.example.com`
  const { key } = rsaKey(domain, 'selector-of-the-year')
  const signed = await signMessage(await buildMessage(mail), [key], at)
  const head = signed.toString('latin1').split('\r\nFrom:')[0] ?? ''
  for (const line of head.split('\r\n')) assert.ok(line.length <= 78, line)
})
