/** The transport with a Postfix that accepts mail only over TLS, and announces a SIZE. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createSmtpTransport } from 'crier-server/lib/email/smtp/transport.ts'
import type { Transport } from 'crier-server/lib/email/transport.ts'
import { selfSigned } from '../support/mail/certificate.ts'
import { startPostfix, withoutPostfix } from '../support/mail/postfix.ts'
import { eventually } from '../support/time/eventually.ts'

const skip = withoutPostfix() ?? false
const envelope = { from: 'b+1@us.test', to: 'ana@here.test' }
const limit = 50_000
const { key, cert } = selfSigned('localhost')
before(() => setDefaultCACertificates([...getCACertificates('default'), cert]))

function messageOf(bytes: number): Buffer {
  const head = 'Subject: A word\r\n\r\n'
  const lines = `${'x'.repeat(70)}\r\n`.repeat(bytes / 72)
  const rest = 'y'.repeat(bytes - head.length - lines.length - 2)
  return Buffer.from(`${head}${lines}${rest}\r\n`)
}
const sendOver = (transport: Transport, message: Buffer) =>
  transport.use('normal', (connection) => connection.send(envelope, message))

async function safePostfix(t: TestContext, settings: Record<string, string>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-chain-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const chain = path.join(folder, 'chain.pem')
  await writeFile(chain, `${key}\n${cert}`)
  const postfix = await startPostfix({
    transports: { 'ana@here.test': 'maildir' },
    settings: {
      smtpd_tls_chain_files: chain,
      smtpd_tls_loglevel: '1',
      message_size_limit: String(limit),
      ...settings,
    },
  })
  t.after(() => postfix.stop())
  return postfix
}

for (const [scheme, settings] of [
  ['smtp', { smtpd_tls_security_level: 'encrypt' }],
  ['smtps', { smtpd_tls_wrappermode: 'yes', smtpd_tls_security_level: 'encrypt' }],
] as const) {
  test(`${scheme}: Postfix accepts messages over one TLS session, up to its SIZE`, {
    skip,
  }, async (t) => {
    const postfix = await safePostfix(t, settings)
    const transport = createSmtpTransport(`${scheme}://localhost:${postfix.port}?pool=1`)
    t.after(() => transport.close())
    // Postfix stores a message with slightly more bytes than it received.
    for (const bytes of [100, limit - 1_000, 200]) {
      assert.equal(
        (await sendOver(transport, messageOf(bytes))).result,
        'accepted',
        `${bytes} bytes`,
      )
      const over = await sendOver(transport, messageOf(limit + 1))
      assert.match(over.result === 'refused' ? over.words : '', /^552 5\.3\.4 not sent/)
    }
    const kept = await eventually(
      () => postfix.mailbox(envelope.to),
      (all) => all.length === 3,
    )
    assert.equal(kept.length, 3)
    const log = await postfix.log()
    assert.equal(log.match(/TLS connection established/g)?.length, 1)
    assert.doesNotMatch(log, /lost connection after (?!CONNECT)|improper command/)
  })
}

test('a Postfix whose certificate is for another name is sent no mail', { skip }, async (t) => {
  const postfix = await safePostfix(t, { smtpd_tls_security_level: 'may' })
  const transport = createSmtpTransport(`smtp://127.0.0.1:${postfix.port}?pool=1`)
  t.after(() => transport.close())
  await assert.rejects(sendOver(transport, messageOf(100)), { name: 'Unreachable' })
  assert.deepEqual(await postfix.mailbox(envelope.to), [])
})
