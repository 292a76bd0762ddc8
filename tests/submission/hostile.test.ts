/** Clients of the submission ports that err, guess or attack, spoken to byte by byte. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { type SubmissionService, submissionService } from './support/submission-service.ts'

let service: SubmissionService
before(async () => {
  service = await submissionService()
})
after(() => service?.close())

const plain = (secret: string) => Buffer.from(`\0crier\0${secret}`).toString('base64')

/** Sends each line after the answer to the one before; returns the last line of each answer. */
async function talk(socket: net.Socket, lines: readonly string[]): Promise<string[]> {
  const answers: string[] = []
  const rest = [...lines]
  let text = ''
  socket.on('error', () => {})
  for await (const chunk of socket) {
    text += String(chunk)
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 2)
      if (line[3] === '-') continue
      answers.push(line)
      const next = rest.shift()
      if (next === undefined) socket.end()
      else socket.write(`${next}\r\n`)
    }
  }
  return answers
}

function secure(): net.Socket {
  const ca = readFileSync(service.caFile)
  return tls.connect({ host: 'localhost', port: service.tlsPort, ca })
}

const codes = (answers: readonly string[]) => answers.map((line) => line.slice(0, 3)).join(' ')

test('before TLS the server offers no sign-in, and takes neither a key nor a mail', async () => {
  const lines = ['EHLO test', `AUTH PLAIN ${plain(service.secret)}`, 'MAIL FROM:<a@b.test>', 'QUIT']
  const answers = await talk(net.connect(service.port, '127.0.0.1'), lines)
  assert.equal(codes(answers), '220 250 538 530 221')
})

test('commands that a client sends with STARTTLS, before the handshake, are not run', async () => {
  const socket = net.connect(service.port, '127.0.0.1')
  await once(socket, 'data')
  socket.write('EHLO test\r\n')
  await once(socket, 'data')
  socket.write('STARTTLS\r\nEHLO injected\r\nMAIL FROM:<a@b.test>\r\n')
  const [answer] = await once(socket, 'data')
  // Either the server ends the session or it answers STARTTLS alone; the rest is never run.
  assert.doesNotMatch(String(answer).split('\r\n').slice(1).join('\n'), /^(250|530)/m)
  socket.destroy()
})

test('nobody submits without a key, and three wrong keys end the session', async () => {
  const wrong = `AUTH PLAIN ${plain('crier_wrong')}`
  const answers = await talk(secure(), [
    'EHLO test',
    'MAIL FROM:<a@b.test>',
    wrong,
    wrong,
    wrong,
    'NOOP',
  ])
  assert.equal(codes(answers), '220 250 530 535 535 421')
})

const signIn = () => ['EHLO test', `AUTH PLAIN ${plain(service.secret)}`]

test('a twelfth recipient is refused for now, so that the client sends another mail', async () => {
  const rcpt = Array.from({ length: 12 }, (_, n) => `RCPT TO:<person-${n}@far.test>`)
  const answers = await talk(secure(), [...signIn(), 'MAIL FROM:<a@shop.example>', ...rcpt, 'QUIT'])
  assert.equal(codes(answers), `220 250 235 250 ${'250 '.repeat(11)}452 221`)
})

test('a size above the maximum is refused at MAIL FROM', async () => {
  const from = `MAIL FROM:<a@shop.example> SIZE=${15 * 1024 * 1024 + 1}`
  const answers = await talk(secure(), [...signIn(), from, 'QUIT'])
  assert.equal(codes(answers), '220 250 235 552 221')
})

test('a bare newline before a dot does not end the mail, so no second one is smuggled in', async () => {
  const head = 'From: hello@shop.example\r\nTo: smuggle@far.test\r\nSubject: One\r\n\r\nHello'
  const inner = 'MAIL FROM:<a@shop.example>\r\nRCPT TO:<victim@far.test>\r\nDATA\r\nSubject: Two'
  const answers = await talk(secure(), [
    ...signIn(),
    'MAIL FROM:<hello@shop.example>',
    'RCPT TO:<smuggle@far.test>',
    'DATA',
    `${head}\n.\n${inner}\n.\r\n${inner}\r\n.`,
    'QUIT',
  ])
  assert.equal(codes(answers), '220 250 235 250 250 354 250 221')
  await service.sentTo('smuggle@far.test')
  assert.equal(service.relay.taken.filter(({ to }) => to === 'victim@far.test').length, 0)
})

test('commands in one piece are answered in order', async () => {
  const socket = secure()
  const all = ['EHLO test', `AUTH PLAIN ${plain(service.secret)}`, 'NOOP', 'RSET', 'QUIT']
  await once(socket, 'data')
  socket.write(all.map((line) => `${line}\r\n`).join(''))
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  const last = text.split('\r\n').filter((line) => line[3] === ' ')
  assert.equal(codes(last), '250 235 250 250 221')
})

test('a mail that is cut off is not sent', async () => {
  const socket = secure()
  const lines = [...signIn(), 'MAIL FROM:<hello@shop.example>', 'RCPT TO:<cut@far.test>', 'DATA']
  let answers = 0
  for await (const chunk of socket) {
    answers += String(chunk)
      .split('\r\n')
      .filter((line) => line[3] === ' ').length
    const next = lines[answers - 1]
    if (next === undefined) break
    socket.write(`${next}\r\n`)
  }
  socket.destroy()
  await service.client().sendMail({
    from: 'hello@shop.example',
    to: 'whole@far.test',
    subject: 'Whole',
    text: 'Whole',
  })
  await service.sentTo('whole@far.test')
  assert.equal(service.relay.taken.filter(({ to }) => to === 'cut@far.test').length, 0)
})

test('a hundred silent clients of one network leave room for another client of it', async () => {
  const silent = Array.from({ length: 100 }, () => net.connect(service.port, '127.0.0.1'))
  for (const socket of silent) socket.on('error', () => {})
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  const ended = silent.slice(50).map(closed)
  for (const socket of silent) socket.resume()
  await Promise.all(ended)
  for (const socket of silent) socket.destroy()
  await Promise.all(silent.map(closed))
  assert.ok(await service.client().verify())
})

async function closed(socket: net.Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}
