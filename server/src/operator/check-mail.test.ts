/** What `crier doctor` says of a relay that cannot be used, and how to mend it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { selfSigned } from '../../../tests/support/mail/certificate.ts'
import { tlsRelay } from '../../../tests/support/mail/tls-relay.ts'
import { mailFinding } from './check-mail.ts'
import { relayFaultWords } from './mail-fault.ts'

async function portThat(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function failureOf(smtpUrl: string): Promise<string> {
  const { outcome, text, mend } = await mailFinding({ smtpUrl })
  assert.equal(outcome, 'fail', text)
  assert.doesNotMatch(`${text}${mend}`, /hunter2/)
  return `${text} | ${mend}`
}

test('a port at which nothing listens is named', async (t) => {
  const port = await portThat(t, () => {})
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port: gone } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  assert.notEqual(port, gone)
  assert.match(
    await failureOf(`smtp://u:hunter2@127.0.0.1:${gone}`),
    /^nothing listens at 127\.0\.0\.1:\d+ \| Check host and port in SMTP_URL/,
  )
})

test('a relay that refuses this machine is quoted', async (t) => {
  const port = await portThat(t, (socket) => socket.end('554 5.7.1 You are on a list\r\n'))
  assert.match(
    await failureOf(`smtp://127.0.0.1:${port}`),
    /refuses the connection: 554 5\.7\.1 You are on a list \|/,
  )
})

test('a certificate that nobody known has signed is told from a relay that is away', async (t) => {
  const relay = await tlsRelay(t, { certificate: selfSigned('localhost') })
  assert.match(
    await failureOf(relay.url('smtp', 'u:hunter2@')),
    /certificate of localhost:\d+ is not signed by a trusted authority.*NODE_EXTRA_CA_CERTS/,
  )
})

test('smtps:// to a port that begins without TLS leads to smtp://, and the other way round', async (t) => {
  const port = await portThat(t, (socket) => socket.write('220 relay ESMTP\r\n'))
  assert.match(
    await failureOf(`smtps://u:hunter2@localhost:${port}`),
    /does not begin with TLS \| Use smtp:\/\/ in SMTP_URL/,
  )
  const silent = relayFaultWords(
    { code: 'ETIMEDOUT', reply: undefined },
    { host: 'relay.example', port: 465, secure: false, setting: 'SMTP_URL', patienceSeconds: 10 },
  )
  assert.match(silent.text, /^relay\.example:465 does not respond within 10 s$/)
  assert.match(silent.mend, /Use smtps:\/\/ in SMTP_URL: port 465 begins with TLS/)
})
