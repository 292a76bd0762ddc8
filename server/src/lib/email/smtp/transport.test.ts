import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { reply, startFakeRelay } from '../../../../../tests/support/mail/fake-relay.ts'
import { rudeRelay as rude } from '../../../../../tests/support/mail/rude-relay.ts'
import { startSmtpSink, withoutSmtpSink } from '../../../../../tests/support/mail/smtp-sink.ts'
import { Unreachable } from '../../transport/unreachable.ts'
import type { SendResult, Transport } from '../transport.ts'
import type { Deadlines } from './connection.ts'
import { createSmtpTransport } from './transport.ts'

const envelope = { from: 'b+1@us.test', to: 'ana@example.com' }
const message = Buffer.from('Subject: A word\r\n\r\nHello\r\n.dot\r\n')
const soon: Deadlines = { connectMs: 2000, silenceMs: 700, messageMs: 1000 }

const sendOver = (transport: Transport): Promise<SendResult> =>
  transport.use('normal', (connection) => connection.send(envelope, message))

test('a message reaches the relay complete, and the relay’s reply is returned', async (t) => {
  const relay = await startFakeRelay()
  t.after(() => relay.stop())
  const transport = createSmtpTransport(relay.url())
  t.after(() => transport.close())
  const sent = await sendOver(transport)
  assert.equal(sent.result, 'accepted')
  assert.match(sent.result === 'accepted' ? sent.words : '', /^250 /)
  const [taken] = relay.taken
  assert.deepEqual([taken?.from, taken?.to], [envelope.from, envelope.to])
  assert.equal(taken?.source, message.toString())
})

test('user and password are decoded from the URL', async (t) => {
  const relay = await startFakeRelay({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      done(null, password === 'pa:ss@word' ? { user: username ?? '' } : undefined),
  })
  t.after(() => relay.stop())
  const transport = createSmtpTransport(relay.url('', 'ana%40example.org:pa%3Ass%40word@'))
  t.after(() => transport.close())
  assert.equal((await sendOver(transport)).result, 'accepted')
  assert.equal(relay.taken[0]?.user, 'ana@example.org')
  const stranger = createSmtpTransport(relay.url('', 'ana:wrong@'))
  await assert.rejects(sendOver(stranger), Unreachable)
})

test('a message exactly as large as the relay’s SIZE is accepted', async (t) => {
  const relay = await startFakeRelay({ size: message.length })
  t.after(() => relay.stop())
  const transport = createSmtpTransport(relay.url())
  t.after(() => transport.close())
  assert.equal((await sendOver(transport)).result, 'accepted')
  assert.equal(relay.taken[0]?.source.length, message.length)
})

test('a refusal keeps its code and text, and the connection stays in use', async (t) => {
  const answers = [reply('550 5.1.1 no such user'), reply('451 4.3.0 later'), undefined]
  const relay = await startFakeRelay({
    onRcptTo: (_address, _session, done) => done(answers.shift()),
  })
  t.after(() => relay.stop())
  const transport = createSmtpTransport(relay.url('?pool=1'))
  t.after(() => transport.close())
  const first = await sendOver(transport)
  assert.deepEqual(first, {
    result: 'refused',
    code: 550,
    words: '550 5.1.1 no such user',
    before: 'recipient',
  })
  const second = await sendOver(transport)
  assert.equal(second.result === 'refused' && second.code, 451)
  assert.equal((await sendOver(transport)).result, 'accepted')
  assert.equal(relay.most, 1)
})

test('connections are limited to the pool, one of it is reserved from bulk mail, and urgent mail gets one extra', async (t) => {
  const letGo = Promise.withResolvers<void>()
  const relay = await startFakeRelay({
    onMailFrom: (_address, _session, done) => void letGo.promise.then(() => done()),
  })
  t.after(() => relay.stop())
  const transport = createSmtpTransport(relay.url('?pool=3'))
  t.after(() => transport.close())
  const order: string[] = []
  const send = async (turn: 'urgent' | 'normal' | 'bulk', name: string) => {
    await transport.use(turn, (line) => {
      order.push(name)
      return line.send(envelope, message)
    })
  }
  const all = [1, 2, 3, 4].map((n) => send('bulk', `bulk ${n}`))
  all.push(send('normal', 'normal 1'), send('normal', 'normal 2'))
  while (relay.open < 3) await new Promise((go) => setTimeout(go, 5))
  all.push(send('urgent', 'urgent'))
  while (relay.open < 4) await new Promise((go) => setTimeout(go, 5))
  letGo.resolve()
  await Promise.all(all)
  assert.equal(relay.most, 4)
  const first = ['bulk 1', 'bulk 2', 'normal 1']
  assert.deepEqual(order, [...first, 'urgent', 'normal 2', 'bulk 3', 'bulk 4'])
})

test('a relay that is away is unreachable, and so is one that greets with 421', async (t) => {
  const relay = await startFakeRelay()
  const gone = relay.url()
  await relay.stop()
  await assert.rejects(sendOver(createSmtpTransport(gone)), {
    name: 'Unreachable',
    code: 'ECONNREFUSED',
  })
  const busy = await startFakeRelay({
    onConnect: (_session, done) => done(reply('421 4.7.0 busy')),
  })
  t.after(() => busy.stop())
  await assert.rejects(sendOver(createSmtpTransport(busy.url())), /cannot be reached/)
})

test('a relay that hangs up before the content leaves the message untouched', async (t) => {
  const url = await rude(t, (line, socket) => {
    if (line.startsWith('RCPT')) socket.destroy()
    return line.startsWith('EHLO') || line.startsWith('MAIL') ? '250 fine' : undefined
  })
  const sent = await sendOver(createSmtpTransport(url, soon))
  assert.equal(sent.result, 'untouched')
})

test('a relay that hangs up or is silent after the content leaves the result unclear, within the timeout', async (t) => {
  for (const end of ['hang up', 'silence'] as const) {
    const url = await rude(t, (line, socket) => {
      if (line === '.' && end === 'hang up') socket.destroy()
      if (line === 'DATA') return '354 go on'
      return /^(EHLO|MAIL|RCPT)/.test(line) ? '250 fine' : undefined
    })
    const began = performance.now()
    const sent = await sendOver(createSmtpTransport(url, soon))
    assert.equal(sent.result, 'unclear', end)
    assert.ok(performance.now() - began < 10_000)
  }
})

test('a relay that keeps sending without an end is limited by the message timeout', async (t) => {
  const url = await rude(t, (line, socket) => {
    if (line === '.') {
      const chatter = setInterval(() => socket.write('250-wait\r\n'), 100)
      socket.on('close', () => clearInterval(chatter))
    }
    if (line === 'DATA') return '354 go on'
    return /^(EHLO|MAIL|RCPT)/.test(line) ? '250 fine' : undefined
  })
  const sent = await sendOver(createSmtpTransport(url, soon))
  assert.deepEqual(sent, { result: 'unclear', fault: 'the relay took too long' })
})

test('a connection that the relay closed between messages loses no message', async (t) => {
  const messages = new WeakMap<Socket, number>()
  const url = await rude(t, (line, socket) => {
    const before = messages.get(socket) ?? 0
    if (line.startsWith('MAIL') && before > 0) socket.destroy()
    if (line === '.') messages.set(socket, before + 1)
    if (line === 'DATA') return '354 go on'
    return /^(EHLO|MAIL|RCPT|\.)/.test(line) ? '250 fine' : undefined
  })
  const transport = createSmtpTransport(url, soon)
  for (let n = 0; n < 3; n++) assert.equal((await sendOver(transport)).result, 'accepted')
})

test('smtp-sink accepts all messages over pipelined connections', {
  skip: withoutSmtpSink() ?? false,
}, async (t) => {
  const sink = await startSmtpSink({ keep: true })
  t.after(() => sink.stop())
  const transport = createSmtpTransport(sink.url('?pool=4'))
  t.after(() => transport.close())
  const sent = await Promise.all(Array.from({ length: 40 }, () => sendOver(transport)))
  assert.ok(sent.every(({ result }) => result === 'accepted'))
  const kept = await sink.messages()
  assert.equal(kept.length, 40)
  assert.match(kept[0] ?? '', /^\.dot$/m)
})
