/** STARTTLS and smtps with relays that a test controls; Postfix has its own tests (tests/mail). */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { before, type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '../../../../../tests/support/mail/certificate.ts'
import { startFakeRelay } from '../../../../../tests/support/mail/fake-relay.ts'
import { type TlsRelayOptions, tlsRelay } from '../../../../../tests/support/mail/tls-relay.ts'
import { selfSigned as selfSignedFor } from '../../crypto/self-signed.ts'
import { days, later } from '../../time/clock.ts'
import { Unreachable } from '../../transport/unreachable.ts'
import { messageIn, newBuffers, takeBuffer } from '../message-buffers.ts'
import type { Transport } from '../transport.ts'
import { createSmtpTransport } from './transport.ts'

const envelope = { from: 'b+1@us.test', to: 'ana@example.com' }
const message = Buffer.from('Subject: A word\r\n\r\nHello\r\n')
const large = Buffer.from(`Subject: A word\r\n\r\n${`${'x'.repeat(98)}\r\n`.repeat(240_000)}`)
const soon = { connectMs: 2000, silenceMs: 2000, messageMs: 5000 }
const login = 'ana:secret@'

const ours = selfSigned('localhost')
const elsewhere = selfSigned('elsewhere.test')
const old = selfSignedFor('localhost', later(new Date(), -days(9)), later(new Date(), -days(2)))
before(() =>
  setDefaultCACertificates([...getCACertificates('default'), ours.cert, elsewhere.cert, old.cert]),
)

const sendOver = (transport: Transport, content: Buffer = message) =>
  transport.use('normal', (connection) => connection.send(envelope, content))

function transportTo(t: TestContext, url: string): Transport {
  const transport = createSmtpTransport(url, soon)
  t.after(() => transport.close())
  return transport
}

const relayThat = (t: TestContext, options: Partial<TlsRelayOptions> = {}) =>
  tlsRelay(t, { certificate: ours, ...options })

/** A relay of the package smtp-server, which offers no AUTH before TLS. */
async function packagedRelay(t: TestContext, secure: boolean) {
  const logins: boolean[] = []
  const relay = await startFakeRelay({
    secure,
    ...ours,
    disabledCommands: [],
    authOptional: false,
    allowInsecureAuth: false,
    onAuth({ username, password }, session, done) {
      logins.push(session.secure)
      done(null, password === 'secret' ? { user: username ?? '' } : undefined)
    },
  })
  t.after(() => relay.stop())
  return { relay, logins }
}

for (const scheme of ['smtp', 'smtps'] as const) {
  test(`${scheme}: messages are sent complete over one session, encrypted and logged in`, async (t) => {
    const { relay, logins } = await packagedRelay(t, scheme === 'smtps')
    const transport = transportTo(t, `${scheme}://${login}localhost:${relay.port}?pool=1`)
    for (let n = 0; n < 4; n++) assert.equal((await sendOver(transport)).result, 'accepted')
    assert.equal((await sendOver(transport, large)).result, 'accepted')
    assert.equal(relay.most, 1)
    assert.deepEqual(logins, [true], 'once, and over TLS')
    const sources = relay.taken.map(({ user, source }) => `${user} ${source.length}`)
    const [small, big] = [message, large].map(({ length }) => `ana ${length}`)
    assert.deepEqual(sources, [small, small, small, small, big])
  })

  test(`${scheme}: the commands of a message are sent together, over one connection`, async (t) => {
    const relay = await relayThat(t, {
      smtps: scheme === 'smtps',
      ehlo: { safe: '250-safe\r\n250-SIZE 9000\r\n250 PIPELINING' },
    })
    const transport = transportTo(t, relay.url(scheme))
    for (let n = 0; n < 2; n++) assert.equal((await sendOver(transport)).result, 'accepted')
    const commands = `MAIL FROM:<${envelope.from}> SIZE=${message.length}\r\nRCPT TO:<${envelope.to}>\r\nDATA\r\n`
    const [hello, ...rest] = relay.safe
    assert.match(hello ?? '', /^EHLO /)
    assert.deepEqual(
      rest.filter((piece) => piece.startsWith('MAIL')),
      [commands, commands],
    )
    assert.equal(rest.join(''), `${commands}${String(message)}.\r\n`.repeat(2))
    assert.equal(relay.connections, 1)
  })

  for (const [what, certificate] of [
    ['nobody vouches for', selfSigned('localhost')],
    ['is of another name', elsewhere],
    ['is over', old],
  ] as const) {
    test(`${scheme}: a certificate that ${what} ends the connection before login and mail`, async (t) => {
      const relay = await relayThat(t, { certificate, smtps: scheme === 'smtps' })
      await assert.rejects(sendOver(transportTo(t, relay.url(scheme, login))), Unreachable)
      assert.deepEqual(relay.safe, [])
      assert.doesNotMatch(relay.clear.join(''), /AUTH|MAIL|secret/)
    })
  }

  test(`${scheme}: a 250 before the end of the content gives an unclear result`, async (t) => {
    const hasty = (line: string, socket: Socket) => {
      if (line !== 'DATA') return undefined
      socket.write('354 go on\r\n')
      socket.pause()
      setTimeout(() => socket.write('250 2.0.0 taken\r\n'), 50)
      return false
    }
    const relay = await relayThat(t, { smtps: scheme === 'smtps', act: hasty })
    const sent = await sendOver(transportTo(t, relay.url(scheme)), large)
    assert.deepEqual(sent, { result: 'unclear', fault: 'the relay replied before the end' })
  })
}

test('a relay without TLS gets no password where TLS is required', async (t) => {
  const ehlo = { clear: '250-plain\r\n250 AUTH PLAIN' }
  const relay = await relayThat(t, { ehlo, starttls: '502 5.5.1 no\r\n', upgrades: false })
  const transport = transportTo(t, `${relay.url('smtp', login)}&tls=required`)
  await assert.rejects(sendOver(transport), { name: 'Unreachable', code: 'ETLS' })
  assert.match(relay.clear.join(''), /^EHLO /)
  assert.doesNotMatch(relay.clear.join(''), /AUTH|MAIL|secret/)
})

test('the plain-text EHLO is forgotten after STARTTLS, and injected replies are ignored', async (t) => {
  const promises = '250-evil\r\n250-SIZE 5\r\n250 PIPELINING'
  for (const injected of [
    '',
    `${promises}\r\n`,
    '250 2.0.0 taken\r\n250 2.0.0 taken\r\n',
    '550 5.1.1 nobody\r\n',
    // Unterminated, so that the first reply over TLS would continue it.
    '250-SIZE 5 and ',
    '55',
  ]) {
    const relay = await relayThat(t, {
      ehlo: { clear: `250-STARTTLS\r\n${promises}` },
      starttls: `220 go on\r\n${injected}`,
    })
    const sent = await sendOver(transportTo(t, relay.url('smtp')))
    assert.deepEqual(sent, { result: 'accepted', words: '250 2.0.0 taken' }, injected)
    const [hello, ...rest] = relay.safe
    assert.match(hello ?? '', /^EHLO /)
    assert.deepEqual(rest.slice(0, 3), [
      `MAIL FROM:<${envelope.from}>\r\n`,
      `RCPT TO:<${envelope.to}>\r\n`,
      'DATA\r\n',
    ])
    assert.equal(rest.slice(3).join(''), `${String(message)}.\r\n`)
  }
})

test('a password is not sent in plain text to a relay that offers TLS', async (t) => {
  const offers = '250-relay\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS'
  const relay = await relayThat(t, { ehlo: { clear: offers, safe: '250-relay\r\n250 AUTH PLAIN' } })
  const sent = await sendOver(transportTo(t, relay.url('smtp', login)))
  assert.equal(sent.result, 'accepted')
  assert.match(relay.clear.join(''), /^EHLO [^\r]+\r\nSTARTTLS\r\n$/)
  assert.equal(relay.safe[1], `AUTH PLAIN ${btoa('\0ana\0secret')}\r\n`)
})

test('if STARTTLS is refused or not completed, nothing is sent in plain text', async (t) => {
  const cases = [
    ['refused', { starttls: '454 4.7.0 not now\r\n' }],
    ['never made', { upgrades: false }],
    // An unfinished reply follows the 220: none of it is read, and TLS never starts.
    ['open', { starttls: '220 go on\r\n250-SIZE 5\r\n', upgrades: false }],
  ] as const
  const attempt = async (what: string, options: Partial<TlsRelayOptions>, who: string) => {
    const relay = await relayThat(t, options)
    const began = performance.now()
    await assert.rejects(sendOver(transportTo(t, relay.url('smtp', who))), Unreachable, what)
    assert.ok(performance.now() - began < 10_000)
    assert.match(relay.clear.join(''), /^EHLO [^\r]+\r\nSTARTTLS\r\n/)
    assert.doesNotMatch(relay.clear.join(''), /AUTH|MAIL/, what)
  }
  // All at once, since most wait for their time-out.
  await Promise.all(
    cases.flatMap(([what, options]) => ['', login].map((who) => attempt(what, options, who))),
  )
})

test('an encrypted connection that the relay closed between messages is replaced by an encrypted one', async (t) => {
  let messages = 0
  const relay = await relayThat(t, {
    act: (line, socket) => {
      if (!line.startsWith('MAIL') || messages++ !== 1) return undefined
      socket.destroy()
      return false
    },
  })
  const transport = transportTo(t, relay.url('smtp', login))
  for (let n = 0; n < 2; n++) assert.equal((await sendOver(transport)).result, 'accepted')
  assert.equal(relay.connections, 2)
  assert.doesNotMatch(relay.clear.join(''), /AUTH|MAIL/)
})

for (const scheme of ['smtp', 'smtps'] as const) {
  test(`${scheme}: a message in memory shared between two threads is sent unchanged`, async (t) => {
    const { relay } = await packagedRelay(t, scheme === 'smtps')
    const transport = transportTo(t, `${scheme}://${login}localhost:${relay.port}?pool=1`)
    const buffers = newBuffers()
    for (let n = 0; n < 5; n++) {
      const content = Buffer.from(`Subject: ${n}\r\n\r\n${`${n}`.repeat(70)}\r\n`.repeat(300 + n))
      const buffer = takeBuffer(buffers, content.length)
      assert.ok(buffer)
      content.copy(buffer.bytes)
      const sent = await sendOver(transport, messageIn(buffers, buffer.n, content.length))
      assert.equal(sent.result, 'accepted')
      // The buffer is overwritten once the message is accepted; nothing of it is still being sent.
      buffer.bytes.fill(0)
      assert.equal(relay.taken.at(-1)?.source, content.toString())
    }
  })
}
