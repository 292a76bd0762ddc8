/** The submission server over real connections, with what lies behind it in the test's hands. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, type TestContext, test } from 'node:test'
import tls from 'node:tls'
import nodemailer from 'nodemailer'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { selfSigned } from '../../../tests/support/mail/certificate.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { newId } from '../core/ids.ts'
import type { Principal } from '../core/operation.ts'
import { createIntakeBudget } from './intake-budget.ts'
import { createMailReader } from './reading/mail-reader.ts'
import { createSubmissionServer, type SubmissionDeps, submissionLimits } from './server.ts'

const submitter = { businessId: newId('business'), principal: {} as Principal }
const first = selfSigned('localhost')
const reader = createMailReader()
after(() => reader.close())

/** A server whose parts all succeed, but for those named. */
async function listening(
  t: TestContext,
  changes: Partial<SubmissionDeps> = {},
  limits: Partial<typeof submissionLimits> = {},
) {
  const deps: SubmissionDeps = {
    signIn: { submitterOf: async () => submitter, count: () => undefined },
    intake: createIntakeBudget({ bytes: 10_000, bytesOfTenant: 10_000 }),
    reader,
    send: async () => ({ message_id: 'msg_1' }),
    log: silentLog,
    domain: 'localhost',
    tls: first,
    implicitTls: false,
    ...changes,
  }
  const server = createSubmissionServer(deps, { ...submissionLimits, closeMs: 100, ...limits })
  const port = await server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  const options = {
    host: '127.0.0.1',
    port,
    secure: deps.implicitTls,
    requireTLS: true,
    auth: { user: 'crier', pass: 'key' },
  }
  return {
    server,
    port,
    /** Submits a mail, with the certificate that the client expects. */
    submit: ({ ca = first.cert, text = 'Hello' } = {}) =>
      nodemailer
        .createTransport({ ...options, tls: { ca, servername: 'localhost' } })
        .sendMail({ from: 'a@b.test', to: 'c@d.test', subject: 'Hi', text }),
  }
}

/** The reply with which the server refuses. */
const refusal = (mail: Promise<unknown>) =>
  mail.then(
    () => assert.fail('the mail was accepted'),
    (error: SMTPConnection.SMTPError) => error.response ?? error.message,
  )

for (const implicitTls of [false, true]) {
  const how = implicitTls ? 'within TLS' : 'with STARTTLS'
  test(`a renewed certificate is shown to sessions ${how} that begin after it`, async (t) => {
    const { server, submit } = await listening(t, { implicitTls })
    await submit()
    const second = selfSigned('localhost')
    server.useCertificate(second)
    await submit({ ca: second.cert })
    await assert.rejects(submit({ ca: first.cert }), /self-signed certificate/)
  })
}

test('a session that does not sign in ends after its time, and one that did goes on', async (t) => {
  const { port } = await listening(t, { implicitTls: true }, { signInMs: 300 })
  const open = async (lines: string[]) => {
    const socket = tls.connect({ host: '127.0.0.1', port, ca: first.cert, servername: 'localhost' })
    t.after(() => socket.destroy())
    for (const line of ['', ...lines]) {
      if (line) socket.write(`${line}\r\n`)
      await once(socket, 'data')
    }
    return socket
  }
  const key = Buffer.from('\0crier\0key').toString('base64')
  const signedIn = await open(['EHLO test', `AUTH PLAIN ${key}`])
  const silent = await open(['EHLO test'])
  await once(silent.resume(), 'close')
  signedIn.write('NOOP\r\n')
  const [answer] = await once(signedIn, 'data')
  assert.match(String(answer), /^250 /)
})

test('a key that cannot be looked up and a mail that cannot be sent are refused for now', async (t) => {
  const away = () => Promise.reject(new Error('the database is away'))
  const noLookup = await listening(t, { signIn: { submitterOf: away, count: () => undefined } })
  assert.match(await refusal(noLookup.submit()), /^454 4\.7\.0 .*Try again later/)
  const noSending = await listening(t, { send: away })
  assert.match(await refusal(noSending.submit()), /^451 4\.3\.0 .*Try again later/)
})

test('a mail beyond what the server reads at once is refused for now, and a smaller one is not', async (t) => {
  const { submit } = await listening(t)
  assert.match(await refusal(submit({ text: 'x'.repeat(20_000) })), /^451 4\.3\.0 /)
  assert.match(
    (await submit({ text: 'x'.repeat(2_000) })).response,
    /^250 2\.0\.0 Queued as msg_1$/,
  )
})

test('the answer says how many copies were refused, and why', async (t) => {
  const error = { code: 'suppressed', message: 'No more mail.' }
  const copies = [
    { to: 'a@b.test', error },
    { to: 'c@d.test', message_id: 'msg_2' },
  ]
  const { submit } = await listening(t, { send: async () => ({ message_id: 'msg_1', copies }) })
  const { response } = await submit()
  assert.match(response, /Queued as msg_1; 1 of 2 copies refused: suppressed$/)
})
