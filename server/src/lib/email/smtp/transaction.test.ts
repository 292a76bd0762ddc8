import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { relayThat } from '../../../../../tests/support/mail/rude-relay.ts'
import type { Envelope, SendResult, Transport } from '../transport.ts'

const envelope = { from: 'b+1@us.test', to: 'ana@example.com' }
const message = Buffer.from('Subject: A word\r\n\r\nHello\r\n')

const sendOver = (transport: Transport, to: Envelope = envelope): Promise<SendResult> =>
  transport.use('normal', (connection) => connection.send(to, message))

const commands = [
  `MAIL FROM:<${envelope.from}> SIZE=${message.length}`,
  `RCPT TO:<${envelope.to}>`,
  'DATA',
  '.',
]

test('the commands are sent together, with the size, and a reply of several lines is kept', async (t) => {
  const { transport, heardSince } = await relayThat(t, { '.': '250-2.0.0 taken\r\n250 as grüße' })
  const sent = await sendOver(transport)
  assert.deepEqual(sent, { result: 'accepted', words: '250-2.0.0 taken\n250 as grüße' })
  assert.deepEqual(heardSince(), commands)
})

test('a report on success is asked for where the relay offers it and the returns address awaits it', async (t) => {
  const ehlo = '250-rude\r\n250-PIPELINING\r\n250 DSN'
  const { transport, heardSince } = await relayThat(t, {}, ehlo)
  await sendOver(transport, { ...envelope, receiptOf: 'transactional' })
  assert.deepEqual(heardSince().slice(0, 2), [
    `MAIL FROM:<${envelope.from}> RET=HDRS`,
    `RCPT TO:<${envelope.to}> NOTIFY=SUCCESS,FAILURE,DELAY`,
  ])
  const usual = [`MAIL FROM:<${envelope.from}>`, `RCPT TO:<${envelope.to}>`]
  for (const kind of [{}, { receiptOf: 'marketing' as const }]) {
    await sendOver(transport, { ...envelope, ...kind })
    assert.deepEqual(heardSince().slice(0, 2), usual)
  }
  const without = await relayThat(t, {}, '250 rude')
  await sendOver(without.transport, { ...envelope, receiptOf: 'transactional' })
  assert.deepEqual(without.heardSince().slice(0, 2), usual)
})

test('a relay without PIPELINING gets one command at a time, and none after a refusal', async (t) => {
  const { transport, heardSince } = await relayThat(t, { RCPT: '550 5.1.1 who' }, '250 rude')
  const sent = await sendOver(transport)
  assert.deepEqual(sent, {
    result: 'refused',
    code: 550,
    words: '550 5.1.1 who',
    before: 'recipient',
  })
  assert.deepEqual(heardSince(), [`MAIL FROM:<${envelope.from}>`, commands[1], 'RSET'])
})

test('when the recipient is refused but DATA accepted, an empty content ends it and the session continues', async (t) => {
  let refusals = 1
  const { transport, heard, heardSince } = await relayThat(t, {
    RCPT: () => (refusals-- > 0 ? '452 4.5.3 not now' : '250 fine'),
  })
  const sent = await sendOver(transport)
  assert.deepEqual(sent, {
    result: 'refused',
    code: 452,
    words: '452 4.5.3 not now',
    before: 'recipient',
  })
  assert.deepEqual(heardSince(), [...commands, 'RSET'])
  assert.equal((await sendOver(transport)).result, 'accepted')
  assert.deepEqual(heard, commands)
})

test('when the sender is refused but DATA accepted, the connection is not used further', async (t) => {
  const { transport, heardSince } = await relayThat(t, { MAIL: '550 5.7.1 not you' })
  const sent = await sendOver(transport)
  assert.deepEqual(sent, {
    result: 'refused',
    code: 550,
    words: '550 5.7.1 not you',
    before: 'sender',
  })
  assert.deepEqual(heardSince(), commands.slice(0, 3))
})

test('a refusal of the content is reported, and 421 ends the session, with or without its line end', async (t) => {
  const large = await relayThat(t, { '.': '552 5.3.4 too large' })
  assert.deepEqual(await sendOver(large.transport), {
    result: 'refused',
    code: 552,
    words: '552 5.3.4 too large',
  })
  assert.deepEqual(large.heardSince(), [...commands, 'RSET'])
  const leaving = (socket: Socket) => void socket.end('421 4.3.2 bye')
  for (const word of ['MAIL', '.'] as const) {
    for (const answer of ['421 4.3.2 bye', leaving]) {
      const { transport, heardSince } = await relayThat(t, { [word]: answer })
      const sent = await sendOver(transport)
      const before = word === 'MAIL' ? { before: 'sender' } : {}
      assert.deepEqual(sent, { result: 'refused', code: 421, words: '421 4.3.2 bye', ...before })
      assert.ok(!heardSince().includes('RSET'))
    }
  }
})

test('an invalid reply leaves the message untouched, or unclear after its content', async (t) => {
  const { transport } = await relayThat(t, { RCPT: 'what?' })
  assert.equal((await sendOver(transport)).result, 'untouched')
  const after = await relayThat(t, { '.': '354 go on' })
  assert.equal((await sendOver(after.transport)).result, 'unclear')
})

test('a reply without an end is cut off', async (t) => {
  const endless = (socket: Socket) => {
    const more = setInterval(() => socket.write(`250-${'x'.repeat(8000)}\r\n`), 1)
    socket.on('close', () => clearInterval(more))
    return undefined
  }
  const { transport } = await relayThat(t, { MAIL: endless }, '250 rude')
  const sent = await sendOver(transport)
  assert.deepEqual(sent, { result: 'untouched', fault: 'the relay has no end of a reply' })
})

test('a connection on which the relay spoke between messages is replaced by a new one', async (t) => {
  const { transport, heard } = await relayThat(t, {
    '.': (socket) => {
      setTimeout(() => socket.write('421 4.4.2 idle\r\n'), 20)
      return '250 taken'
    },
  })
  assert.equal((await sendOver(transport)).result, 'accepted')
  await sleep(60)
  assert.equal((await sendOver(transport)).result, 'accepted')
  assert.equal(heard.filter((line) => line.startsWith('EHLO')).length, 2)
})

test('an address cannot end an SMTP command early', async (t) => {
  const { transport, heardSince } = await relayThat(t, {})
  const sent = await sendOver(transport, {
    ...envelope,
    to: 'ana@example.com>\r\nRCPT TO:<eve@x.test',
  })
  assert.equal(sent.result, 'untouched')
  assert.deepEqual(heardSince(), [])
})

const ofBytes = (bytes: number, line = 'x') =>
  Buffer.from(`Subject: A word\r\n\r\n${line.repeat(bytes)}`.slice(0, bytes - 2).concat('\r\n'))

test('a message of the relay’s maximum size is sent, and a larger one is refused without sending', async (t) => {
  const { transport, heard, heardSince } = await relayThat(t, {}, '250-rude\r\n250 SIZE 1000')
  const send = (sized: Buffer) =>
    transport.use('normal', (connection) => connection.send(envelope, sized))
  assert.equal((await send(ofBytes(1000))).result, 'accepted')
  assert.equal(heardSince()[0], `MAIL FROM:<${envelope.from}> SIZE=1000`)
  assert.deepEqual(await send(ofBytes(1001)), {
    result: 'refused',
    code: 552,
    words: '552 5.3.4 not sent: it has 1001 bytes, the relay takes 1000',
  })
  // The line end that sending adds counts towards the size.
  const open = ofBytes(1002).subarray(0, 999)
  assert.match(JSON.stringify(await send(open)), /it has 1001 bytes/)
  assert.deepEqual(heardSince(), [], 'the relay heard of neither')
  // Dots that SMTP doubles are not counted (RFC 1870 section 5).
  assert.equal((await send(ofBytes(1000, '.\r\n'))).result, 'accepted')
  assert.ok(!heard.some((line) => line.startsWith('EHLO')), 'over the same connection')
})

test('SIZE without a number, or with zero, sets no limit', async (t) => {
  for (const told of ['SIZE', 'SIZE 0']) {
    const { transport, heardSince } = await relayThat(t, {}, `250-rude\r\n250 ${told}`)
    assert.equal((await sendOver(transport)).result, 'accepted')
    assert.equal(heardSince()[0], commands[0])
  }
})
