import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { selfSigned } from '../../../../../tests/support/mail/certificate.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { openSmsTransport } from '../../../../../tests/support/sms/sms-transport.ts'
import { startSmsc, withoutSmsc } from '../../../../../tests/support/sms/smsc.ts'
import { eventually } from '../../../../../tests/support/time/eventually.ts'
import { systemClock } from '../../time/clock.ts'
import { parseSmsUrl } from '../sms-url.ts'
import type { SmsTransport } from '../transport.ts'
import { command, encodePdu } from './pdu.ts'
import { createSmppTransport, type SmppDeps } from './smpp-transport.ts'
import { encodeSubmit } from './submit.ts'

const skip = withoutSmsc() ?? false
const text = { from: '12345', to: '+33612345678', body: 'Hello' }
const sendOver = (transport: SmsTransport) =>
  transport.use('normal', (connection) => connection.send(text))

async function peer(t: TestContext, parameters = '', more: Partial<SmppDeps> = {}) {
  const smsc = await startSmsc()
  t.after(() => smsc.stop())
  const options = parseSmsUrl(smsc.url(parameters))
  assert.ok(options)
  const listener = { receipt: async () => {}, inbound: async () => {} }
  const deps = { clock: systemClock, log: silentLog, listener, pauses: [20], ...more }
  const transport = createSmppTransport(options, deps)
  t.after(() => transport.close())
  return { smsc, transport }
}

test('no more texts are with the SMSC than the window allows', { skip }, async (t) => {
  const { smsc, transport } = await peer(t, '?window=4')
  await smsc.order('hold')
  const all = Array.from({ length: 30 }, () => sendOver(transport))
  const urgent = transport.use('urgent', (connection) => connection.send(text))
  await smsc.until('submit', 4)
  await smsc.order('ask')
  await smsc.until('other', 1)
  assert.equal(smsc.all('submit').length, 4)
  await smsc.order('release')
  const sent = await Promise.all([...all, urgent])
  assert.ok(sent.every(({ result }) => result === 'accepted'))
  assert.ok(smsc.all('submit').every((row) => Number(row['in_hand']) <= 4))
})

test('a window of one lets one text through at a time, urgent texts included', {
  skip,
}, async (t) => {
  const { smsc, transport } = await peer(t, '?window=1')
  await smsc.order('hold')
  const all = [sendOver(transport), transport.use('urgent', (connection) => connection.send(text))]
  await smsc.until('submit', 1)
  await smsc.order('ask')
  await smsc.until('other', 1)
  assert.equal(smsc.all('submit').length, 1)
  await smsc.order('release')
  await Promise.all(all)
})

test('a dropped link leaves texts under way unclear and all others untouched', {
  skip,
}, async (t) => {
  const { smsc, transport } = await peer(t, '?window=5')
  await smsc.order('hold')
  const under = Array.from({ length: 4 }, () => sendOver(transport))
  await smsc.until('submit', 4)
  const second = Promise.withResolvers<void>()
  const late = transport.use('urgent', async (line) => {
    await second.promise
    return line.send(text)
  })
  const waiting = Array.from({ length: 10 }, () => sendOver(transport))
  await smsc.order('drop')
  assert.deepEqual(
    new Set((await Promise.all(under)).map(({ result }) => result)),
    new Set(['unclear']),
  )
  second.resolve()
  await smsc.order('release')
  // Texts that waited for a connection had not been started, so they go over the next link.
  const rest = await Promise.all(waiting)
  assert.ok(rest.every(({ result }) => result === 'accepted'))
  assert.match((await late).result, /untouched|accepted/)
  assert.equal((await smsc.soFar('bound')).length, 2)
})

test('a connection held over a broken link leaves its text untouched', { skip }, async (t) => {
  const { smsc, transport } = await peer(t, '', { pauses: [60_000] })
  const sent = await transport.use('normal', async (line) => {
    await smsc.order('drop')
    await smsc.stop()
    return eventually(
      () => line.send(text),
      ({ result }) => result === 'untouched',
    )
  })
  assert.deepEqual(sent, { result: 'untouched', fault: 'the link to the SMSC is down' })
})

test('a wrong password is reported in clear words and not tried again at once', {
  skip,
}, async (t) => {
  const { smsc } = await peer(t)
  const stranger = openSmsTransport(smsc.url().replace('pa%3Ass', 'wrong'))
  t.after(() => stranger.close())
  const refusal = {
    name: 'Unreachable',
    code: 'EAUTH',
    words: 'the SMSC refuses the system id or the password of SMS_URL (ESME_RINVPASWD)',
  }
  await assert.rejects(sendOver(stranger), refusal)
  await assert.rejects(sendOver(stranger), refusal)
  assert.equal((await smsc.soFar('refused')).length, 1)
})

test('one bad frame is answered with an error, and the link continues', { skip }, async (t) => {
  const { smsc, transport } = await peer(t)
  await sendOver(transport)
  const frame = (number: string, body = '') =>
    `${(16 + body.length / 2).toString(16).padStart(8, '0')}${number}0000000000000009${body}`
  await smsc.order('raw', { octets: frame('00000777', 'ffff') })
  assert.equal((await smsc.until('nack', 1))[0]?.['status'], 3)
  await smsc.order('raw', { octets: frame('00000005', 'ffffffff') })
  assert.equal((await smsc.until('taken', 1))[0]?.['status'], 2)
  // Responses to no request, and a refusal of no request.
  await smsc.order('raw', { octets: frame('80000004') + frame('80000000') + frame('00000102') })
  assert.equal((await sendOver(transport)).result, 'accepted')
  assert.equal((await smsc.soFar('bound')).length, 1)
})

test('a stream whose next frame cannot be found is replaced by a new link', { skip }, async (t) => {
  const { smsc, transport } = await peer(t)
  transport.listen()
  await smsc.until('bound', 1)
  await smsc.order('raw', { octets: '7fffffff000000050000000000000001' })
  await smsc.until('bound', 2)
  assert.equal((await sendOver(transport)).result, 'accepted')
})

test('whole frames before a broken frame are handled, and a kept link reconnects again and again', async (t) => {
  const broken = Buffer.from('7fffffff000000050000000000000001', 'hex')
  const bindAnswer = (sequence: number) => {
    const body = Buffer.from('perl\0')
    return encodePdu({ command: command.bindTransceiver + 0x80000000, status: 0, sequence, body })
  }
  let links = 0
  const smsc = createServer((socket) => {
    links++
    socket.on('error', () => {})
    socket.once('data', (bind) => {
      // Sends the response and the broken frame in one write; every other link gets no response.
      if (links % 2) socket.write(Buffer.concat([bindAnswer(bind.readUInt32BE(12)), broken]))
      else socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(smsc, 'listening')
  t.after(() => smsc.close())
  const { port } = smsc.address() as AddressInfo
  const options = parseSmsUrl(`smpp://crier:pass@127.0.0.1:${port}`)
  assert.ok(options)
  const listener = { receipt: async () => {}, inbound: async () => {} }
  const said: unknown[] = []
  const log = { ...silentLog, info: (event: unknown) => said.push(event) } as typeof silentLog
  const transport = createSmppTransport(options, { clock: systemClock, log, listener, pauses: [1] })
  t.after(() => transport.close())
  transport.listen()
  // A timer may fire slightly early; among this many links one was once never retried.
  await eventually(
    async () => links,
    (n) => n > 200,
  )
  assert.ok(said.filter((event) => event === 'sms_link_bound').length >= 100, 'each was bound')
})

test('an SMSC that unbinds is bound to again', { skip }, async (t) => {
  const { smsc, transport } = await peer(t)
  transport.listen()
  await smsc.until('bound', 1)
  await smsc.order('unbind')
  await smsc.until('bound', 2)
  assert.equal((await sendOver(transport)).result, 'accepted')
})

test('a silently dead link is detected by an enquiry', { skip }, async (t) => {
  const { smsc } = await peer(t)
  let deaf = false
  const proxy = createServer((client) => {
    const server = connect(smsc.port, '127.0.0.1')
    client.on('data', (chunk) => deaf || server.write(chunk)).on('error', () => {})
    server.on('data', (chunk) => client.write(chunk)).on('error', () => {})
    client.on('close', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => proxy.close())
  const { port } = proxy.address() as AddressInfo
  const options = parseSmsUrl(smsc.url().replace(String(smsc.port), String(port)))
  assert.ok(options)
  const deadlines = { openMs: 5000, answerMs: 300, idleMs: 100 }
  const listener = { receipt: async () => {}, inbound: async () => {} }
  const transport = createSmppTransport(options, {
    clock: systemClock,
    log: silentLog,
    listener,
    deadlines,
  })
  t.after(() => transport.close())
  assert.equal((await sendOver(transport)).result, 'accepted')
  deaf = true
  const sent = await sendOver(transport)
  assert.equal(sent.result, 'unclear')
  await smsc.until('closed', 1)
})

test('a flood of receipts waits on the link, and submissions continue after it', {
  skip,
}, async (t) => {
  const gate = Promise.withResolvers<void>()
  let heard = 0
  const listener = {
    receipt: async () => {},
    inbound: async () => {
      heard++
      await gate.promise
    },
  }
  const { smsc, transport } = await peer(t, '', { listener })
  transport.listen()
  await smsc.until('bound', 1)
  const flood = 3000
  // Each comes from a different phone, because texts of one phone are processed one by one.
  const octets = Array.from({ length: flood }, (_, n) => deliverFrom(`3361${1_000_000 + n}`, n))
  await smsc.order('raw', { octets: Buffer.concat(octets).toString('hex') })
  await eventually(
    () => heard,
    (count) => count >= 200,
  )
  const sent = sendOver(transport)
  await smsc.until('submit', 1)
  assert.ok(heard < flood, `${heard} were in hand`)
  gate.resolve()
  assert.equal((await sent).result, 'accepted')
  await smsc.until('taken', flood)
  assert.equal(heard, flood)
})

function deliverFrom(phone: string, sequence: number): Buffer {
  const part = { body: 'Hi', encoding: 'gsm-7', header: undefined, last: false } as const
  const body = encodeSubmit({ from: `+${phone}`, to: '12345', part, longTexts: 'udh' })
  return encodePdu({ command: command.deliverSm, status: 0, sequence: sequence + 1, body })
}

test('smpps means TLS from the first octet, and the certificate is verified', {
  skip,
}, async (t) => {
  const smsc = await startSmsc()
  t.after(() => smsc.stop())
  const { key, cert } = selfSigned('localhost')
  const front = createTlsServer({ key, cert }, (client) => {
    const server = connect(smsc.port, '127.0.0.1')
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy())
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  t.after(() => front.close())
  const { port } = front.address() as AddressInfo
  const options = parseSmsUrl(`smpps://crier:pa%3Ass@localhost:${port}`)
  assert.ok(options)
  const listener = { receipt: async () => {}, inbound: async () => {} }
  const deps = { clock: systemClock, log: silentLog, listener }
  const transport = createSmppTransport(options, { ...deps, trust: { ca: cert } })
  t.after(() => transport.close())
  assert.equal((await sendOver(transport)).result, 'accepted')
  const careful = createSmppTransport(options, deps)
  t.after(() => careful.close())
  await assert.rejects(sendOver(careful), {
    name: 'Unreachable',
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})
