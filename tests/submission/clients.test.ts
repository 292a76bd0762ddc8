/** Programs that people have, which submit mail: swaks, Postfix, and PHP's mail() through msmtp. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startPostfix, withoutPostfix } from '../support/mail/postfix.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  headerOf,
  type SubmissionService,
  submissionService,
} from './support/submission-service.ts'

const run = promisify(execFile)

let service: SubmissionService
let folder: string
before(async () => {
  service = await submissionService()
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-clients-'))
})
after(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

test('swaks sends over STARTTLS and within TLS', {
  skip: missingPrograms('/usr/bin/swaks') ?? false,
}, async () => {
  const { port, tlsPort, secret, caFile } = service
  for (const flags of [
    ['--port', String(port), '--tls', '--auth', 'PLAIN'],
    ['--port', String(tlsPort), '--tls-on-connect', '--auth', 'LOGIN'],
  ]) {
    const server = ['--server', 'localhost', '--tls-verify', '--tls-ca-path', caFile]
    const key = ['--auth-user', 'crier', '--auth-password', secret]
    const mail = ['--from', 'hello@shop.example', '--to', 'swaks@far.test']
    const { stdout } = await run('/usr/bin/swaks', [...server, ...key, ...mail, ...flags])
    assert.match(stdout, /250 2\.0\.0 Queued as msg_\w+/)
  }
  assert.equal((await service.sentTo('swaks@far.test', 2)).length, 2)
})

test('the fields of a list that swaks writes reach the reader', {
  skip: missingPrograms('/usr/bin/swaks') ?? false,
}, async () => {
  const { port, secret, caFile } = service
  const fields = [
    'List-Unsubscribe: <https://blog.example.com/u/1>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'List-Id: <weekly.blog.example.com>',
    'Precedence: bulk',
    'Auto-Submitted: auto-generated',
    'Reply-To: a@example.com, b@example.com',
    `To: "O'Neil, Pat" <swaks-list@far.test>`,
  ]
  const server = ['--server', 'localhost', '--port', String(port), '--tls', '--tls-verify']
  const key = ['--tls-ca-path', caFile, '--auth-user', 'crier', '--auth-password', secret]
  const mail = ['--from', 'hello@shop.example', '--to', 'swaks-list@far.test']
  const headers = fields.flatMap((field) => ['--header', field])
  await run('/usr/bin/swaks', [...server, ...key, ...mail, ...headers])
  const [sent] = await service.sentTo('swaks-list@far.test')
  assert.ok(sent)
  const header = headerOf(sent).split(/\r?\n/)
  for (const field of fields)
    assert.ok(header.includes(field), `${field} is not in ${header.join('; ')}`)
})

test('a Postfix hands its mail on to Crier as its relay', {
  skip: withoutPostfix() ?? false,
}, async (t) => {
  const postfix = await startPostfix({
    transports: { '*': `smtp:[localhost]:${service.port}` },
    lifetime: '1h',
    settings: {
      smtp_tls_security_level: 'secure',
      smtp_tls_CAfile: service.caFile,
      smtp_sasl_auth_enable: 'yes',
      smtp_sasl_password_maps: `inline:{ { [localhost]:${service.port} = crier:${service.secret} } }`,
      smtp_sasl_security_options: 'noanonymous',
      smtp_sasl_tls_security_options: 'noanonymous',
    },
  })
  t.after(() => postfix.stop())
  const local = service.client({
    port: postfix.port,
    host: '127.0.0.1',
    requireTLS: false,
    ignoreTLS: true,
    auth: undefined as never,
  })
  await local.sendMail({
    from: 'hello@shop.example',
    to: ['post-one@far.test', 'post-two@far.test'],
    subject: 'From a server',
    text: 'Hello',
  })
  const log = await eventually(
    () => postfix.log(),
    (text) => (text.match(/status=sent \(250 2\.0\.0 Queued as msg_/g) ?? []).length === 2,
  )
  assert.match(log, /status=sent \(250 2\.0\.0 Queued as msg_/)
  for (const to of ['post-one@far.test', 'post-two@far.test']) await service.sentTo(to)
})

test('mail() of PHP goes through msmtp, as a WordPress sends it', {
  skip: missingPrograms('/usr/bin/msmtp', '/usr/bin/php') ?? false,
}, async () => {
  const config = path.join(folder, 'msmtprc')
  const settings = [
    'account default',
    'host localhost',
    `port ${service.port}`,
    'auth on',
    'user crier',
    `password ${service.secret}`,
    'tls on',
    'tls_starttls on',
    `tls_trust_file ${service.caFile}`,
    'from hello@shop.example',
  ]
  await writeFile(config, `${settings.join('\n')}\n`, { mode: 0o600 })
  const program = path.join(folder, 'mail.php')
  const code = `<?php
$sent = mail('wordpress@far.test', 'Ein Gruß', "Guten Tag\\n.\\nund mehr", [
  'From' => 'Shop <hello@shop.example>',
  'Content-Type' => 'text/plain; charset=UTF-8',
]);
exit($sent ? 0 : 1);
`
  await writeFile(program, code)
  await run('/usr/bin/php', ['-d', `sendmail_path=/usr/bin/msmtp -C ${config} -t`, program])
  const [mail] = await service.sentTo('wordpress@far.test')
  assert.ok(mail)
  assert.match(headerOf(mail), /^From: Shop <hello@shop\.example>$/m)
  assert.match(mail.source, /Guten Tag\r\n=2E\r\nund mehr/)
})
