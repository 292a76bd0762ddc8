import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { FakeMessages } from '../../../../tests/support/mail/fake-messages.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { newId } from '../../core/ids.ts'
import { selfSigned } from '../../lib/crypto/self-signed.ts'
import { days, later, systemClock } from '../../lib/time/clock.ts'
import { returnPath } from '../../messages/return-path.ts'
import { type BounceLimits, type BounceServer, bounceLimits, createBounceServer } from './server.ts'

let database: TestDatabase
const open: BounceServer[] = []
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await Promise.all(open.map((server) => server.close()))
  await database.drop()
})

const tls = selfSigned('bounce.test', new Date(), later(new Date(), days(1)))

const report = readFileSync(
  path.join(import.meta.dirname, '../../../../tests/corpus/reports/postfix-hard.eml'),
  'utf8',
).replaceAll(/\r?\n/g, '\r\n')

async function openBounceServer(changes: Partial<BounceLimits> = {}) {
  const messages = new FakeMessages()
  const message = messages.sent(await newBusiness(database.db))
  const deps = { db: database.db, vault: testVault, messages, clock: systemClock, log: silentLog }
  const limits = { ...bounceLimits, closeMs: 100, ...changes }
  const server = createBounceServer({ ...deps, domain: 'bounce.test', tls }, limits)
  open.push(server)
  const port = await server.listen(0, '127.0.0.1')
  return { messages, port, server, back: returnPath(testVault, message.id, 'send.shop.test') }
}

/**
 * Sends each line after the reply to the previous one, and returns the replies, the greeting first.
 * Ends when the server closes the connection.
 */
async function talk(port: number, lines: string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  const answers: string[] = []
  const rest = ['EHLO test', ...lines, 'QUIT']
  let text = ''
  // The replies show how the server ended the connection.
  socket.on('error', () => {})
  try {
    for await (const chunk of socket) {
      text += String(chunk)
      for (let end = text.search(/^\d{3} .*\r\n/m); end >= 0; end = text.search(/^\d{3} .*\r\n/m)) {
        const line = /^\d{3} .*/m.exec(text)?.[0] ?? ''
        text = text.slice(end + line.length + 2)
        answers.push(line)
        const next = rest.shift()
        if (next !== undefined) socket.write(`${next}\r\n`)
      }
    }
  } catch {
    // A reset also ends the connection.
  }
  return answers
}

const codes = (answers: string[]) => answers.map((line) => line.slice(0, 3)).join(' ')

test('a report to a return path is accepted', async () => {
  const { messages, port, back } = await openBounceServer()
  const lines = ['MAIL FROM:<>', `RCPT TO:<${back}>`, 'DATA', `${report}\r\n.`]
  assert.equal(codes(await talk(port, lines)), '220 250 250 250 354 250 221')
  assert.deepEqual(
    messages.news.map(({ event, code }) => [event, code]),
    [['bounced', '5.1.1']],
  )
})

test('a mail to any other recipient is refused at RCPT', async () => {
  const { port, back } = await openBounceServer()
  const [mac = ''] = /\.[0-9a-f]{20}/.exec(back) ?? []
  for (const to of [
    'postmaster@bounce.test',
    // The MAC of another message.
    returnPath(testVault, newId('message'), 'x.test').replace(/\.[0-9a-f]{20}/, mac),
    `${back.slice(0, 30)}@bounce.test`,
    'someone@elsewhere.test',
  ]) {
    const answers = await talk(port, ['MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA'])
    assert.equal(codes(answers), '220 250 250 550 503 221', to)
  }
})

test('a session with too many refused recipients is ended', async () => {
  const { port } = await openBounceServer({ refusals: 3 })
  const guess = 'RCPT TO:<who@bounce.test>'
  const answers = await talk(port, ['MAIL FROM:<>', guess, guess, guess, guess])
  assert.equal(codes(answers), '220 250 250 550 550 421')
})

test('a mail can have one recipient only, and a login is refused', async () => {
  const { port, back } = await openBounceServer()
  const other = returnPath(testVault, newId('message'), 'x.test')
  const answers = await talk(port, [
    'AUTH PLAIN AGEAYg==',
    'MAIL FROM:<>',
    `RCPT TO:<${back}>`,
    `RCPT TO:<${other}>`,
  ])
  assert.equal(codes(answers), '220 250 500 250 250 452 221')
})

test('a mail of the maximum size is accepted, and one byte more is refused', async () => {
  const { messages, port, back } = await openBounceServer({ mailBytes: 10_000 })
  const send = (bytes: number) => {
    const filled = `${report}\r\n`.padEnd(bytes - 2, 'z')
    return talk(port, ['MAIL FROM:<>', `RCPT TO:<${back}>`, 'DATA', `${filled}\r\n.`])
  }
  assert.equal(codes(await send(10_001)), '220 250 250 250 354 552 221')
  assert.equal(messages.news.length, 0)
  assert.equal(codes(await send(10_000)), '220 250 250 250 354 250 221')
  assert.equal(messages.news.length, 1)
})

test('a network can open only a limited number of sessions at once', async () => {
  const { port } = await openBounceServer({ sessionsOfNetwork: 2 })
  const held = await Promise.all([0, 1].map(() => greeted(port)))
  assert.deepEqual(await talk(port, []), [])
  for (const socket of held) socket.destroy()
  await Promise.all(held.map((socket) => new Promise((gone) => socket.once('close', gone))))
  let answers: string[] = []
  while (answers.length === 0) answers = await talk(port, [])
  assert.equal(codes(answers), '220 250 221')
})

test('a session ends after its time limit, even if the client keeps sending', async () => {
  const { port } = await openBounceServer({ sessionMs: 300 })
  const socket = await greeted(port)
  const drip = setInterval(() => socket.write('N'), 10)
  const start = performance.now()
  await new Promise((ended) => socket.once('close', ended))
  clearInterval(drip)
  assert.ok(performance.now() - start < 10_000)
})

test('while the database is unavailable, a report is refused temporarily and the remote server keeps it', async () => {
  const messages = new FakeMessages()
  const message = messages.sent(await newBusiness(database.db))
  const db = { ...database.db, tx: () => Promise.reject(new Error('away')) }
  const deps = { db, vault: testVault, messages, clock: systemClock, log: silentLog }
  const server = createBounceServer({ ...deps, domain: 'bounce.test', tls })
  open.push(server)
  const port = await server.listen(0, '127.0.0.1')
  const back = returnPath(testVault, message.id, 'send.shop.test')
  const lines = ['MAIL FROM:<>', `RCPT TO:<${back}>`, 'DATA', `${report}\r\n.`]
  assert.equal(codes(await talk(port, lines)), '220 250 250 250 354 451 221')
})

function greeted(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  return new Promise<typeof socket>((resolve) => socket.once('data', () => resolve(socket)))
}

async function encrypted(port: number): Promise<SmtpConnection> {
  const smtp = new SmtpConnection({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    allowInternalNetworkInterfaces: true,
    tls: { ca: tls.cert, servername: 'bounce.test' },
  })
  await new Promise<void>((go, fail) => {
    smtp.once('error', fail)
    smtp.connect(() => go())
  })
  smtp.on('error', () => {})
  assert.ok(smtp.secure)
  return smtp
}

test('a report is accepted over STARTTLS, with the configured certificate', async (t) => {
  const { messages, port, back } = await openBounceServer()
  const smtp = await encrypted(port)
  t.after(() => smtp.close())
  await new Promise<void>((go, fail) => {
    smtp.send({ from: '', to: [back] }, report, (error) => (error ? fail(error) : go()))
  })
  assert.deepEqual(
    messages.news.map(({ event }) => event),
    ['bounced'],
  )
})

test('an idle encrypted session does not delay a shutdown', async () => {
  const { port, server } = await openBounceServer()
  const smtp = await encrypted(port)
  const ended = new Promise((gone) => smtp.once('end', gone))
  const begun = performance.now()
  await server.close()
  await ended
  assert.ok(performance.now() - begun < 10_000)
})

test('closed encrypted sessions no longer count towards the limit, and open ones end after their time', async () => {
  const { port } = await openBounceServer({ sessionsOfNetwork: 1, sessionMs: 1_000 })
  for (let nth = 0; nth < 3; nth++) {
    const smtp = await encrypted(port)
    const ended = new Promise((gone) => smtp.once('end', gone))
    if (nth < 2) smtp.quit()
    await ended
    // The remote server may notice the end before our server does.
    await eventually(
      () => talk(port, []),
      (answers) => answers.length > 0,
    )
  }
})
