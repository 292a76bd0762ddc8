/** Relays that reply too early, too much, in pieces or not at all. */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { relayThat } from '../../../../../tests/support/mail/rude-relay.ts'
import type { SendResult, Transport } from '../transport.ts'

const envelope = { from: 'b+1@us.test', to: 'ana@example.com' }
const small = Buffer.from('Subject: A word\r\n\r\nHello\r\n')
/** More than the system buffers for a socket whose remote server does not read. */
const large = Buffer.from(`Subject: A word\r\n\r\n${`${'x'.repeat(98)}\r\n`.repeat(240_000)}`)

const sendOver = (transport: Transport, message = small): Promise<SendResult> =>
  transport.use('normal', (connection) => connection.send(envelope, message))
const count = (heard: readonly string[], word: string) =>
  heard.filter((line) => line.startsWith(word)).length

/** Asks for the content, stops reading at its first part, replies all the same, and reads on. */
const hasty = (words: string) => (socket: Socket) => {
  socket.write('354 go on\r\n')
  socket.once('data', () => {
    socket.pause()
    socket.write(`${words}\r\n`)
    setTimeout(() => socket.resume(), 100)
  })
  return undefined
}

test('a 250 before the end of the content gives an unclear result, and the connection is closed', async (t) => {
  const { transport, heard } = await relayThat(t, { DATA: hasty('250 2.0.0 taken') })
  const sent = await sendOver(transport, large)
  assert.deepEqual(sent, { result: 'unclear', fault: 'the relay replied before the end' })
  await sleep(400)
  assert.equal(count(heard, '.'), 0, 'the relay never had the whole')
  await sendOver(transport, large)
  assert.equal(count(heard, 'EHLO'), 2, 'that connection is of no more use')
})

test('an early refusal is a refusal, and the rest of the content is not sent', async (t) => {
  for (const [code, words] of [
    [552, '552 5.3.4 too much of it'],
    [451, '451 4.3.0 not now'],
    [421, '421 4.3.2 bye'],
  ] as const) {
    const { transport, heard } = await relayThat(t, { DATA: hasty(words) })
    assert.deepEqual(await sendOver(transport, large), { result: 'refused', code, words })
    await sleep(400)
    assert.deepEqual([count(heard, '.'), count(heard, 'RSET')], [0, 0])
  }
})

test('a large content that the relay reads slowly is accepted', async (t) => {
  const leisurely = (socket: Socket) => {
    socket.pause()
    setTimeout(() => socket.resume(), 100)
    return '354 go on'
  }
  const { transport, heard } = await relayThat(t, { DATA: leisurely })
  for (let n = 0; n < 3; n++) assert.equal((await sendOver(transport, large)).result, 'accepted')
  assert.deepEqual([count(heard, 'EHLO'), count(heard, '.')], [1, 3])
})

test('a relay that hangs up during the content leaves the result unclear', async (t) => {
  const { transport, heard } = await relayThat(t, {
    DATA: (socket) => {
      socket.write('354 go on\r\n')
      socket.once('data', () => socket.destroy())
      return undefined
    },
  })
  assert.equal((await sendOver(transport, large)).result, 'unclear')
  assert.equal(count(heard, '.'), 0)
})

test('a relay that hangs up right after its 354 leaves the message untouched', async (t) => {
  const { transport, heard } = await relayThat(t, { DATA: '354 go on\r\n421 4.3.2 bye' })
  assert.equal((await sendOver(transport)).result, 'untouched')
  await sleep(50)
  assert.equal(count(heard, '.'), 0)
})

test('replies that arrive in pieces are read correctly', async (t) => {
  const writePieces = async (socket: Socket, words: string) => {
    socket.setNoDelay(true)
    for (const byte of Buffer.from(`${words}\r\n`)) {
      await sleep(2)
      socket.write(Buffer.of(byte))
    }
  }
  /** Replies follow each other, as slow as each may be. */
  let before = Promise.resolve()
  const inPieces = (words: string) => (socket: Socket) => {
    before = before.then(() => writePieces(socket, words))
    return undefined
  }
  const { transport, heard } = await relayThat(t, {
    EHLO: inPieces('250-rude\r\n250 PIPELINING'),
    MAIL: inPieces('250-2.1.0 that\r\n250 2.1.0 one'),
    // The reply to MAIL is still being sent, so both replies come together.
    RCPT: () => undefined,
    DATA: inPieces('250 2.1.5 fine\r\n354-go\r\n354 on'),
    '.': inPieces('250-2.0.0 taken\r\n250-2.0.0 as\r\n250 2.0.0 grüße'),
  })
  for (let n = 0; n < 2; n++) {
    const sent = await sendOver(transport)
    const words = '250-2.0.0 taken\n250-2.0.0 as\n250 2.0.0 grüße'
    assert.deepEqual(sent, { result: 'accepted', words })
  }
  assert.equal(count(heard, 'EHLO'), 1)
})

test('a reply line of 60,000 characters is accepted, and a much longer one ends the connection', async (t) => {
  const fits = await relayThat(t, { '.': `250 ${'x'.repeat(60_000)}` })
  const sent = await sendOver(fits.transport)
  assert.equal(sent.result === 'accepted' && sent.words.length, 60_004)
  const endless = (socket: Socket) => {
    socket.write(`250 ${'x'.repeat(80_000)}`)
    return undefined
  }
  const before = await relayThat(t, { MAIL: endless }, '250 rude')
  const fault = 'the relay has no end of a reply'
  assert.deepEqual(await sendOver(before.transport), { result: 'untouched', fault })
  const after = await relayThat(t, { '.': endless })
  assert.deepEqual(await sendOver(after.transport), { result: 'unclear', fault })
})

test('contradictory lines and invalid codes in a reply give an unclear result', async (t) => {
  for (const words of ['250-taken\r\n550 not', '550-not\r\n250 taken', '650 what', '99 what']) {
    const { transport, heard } = await relayThat(t, { '.': words })
    assert.equal((await sendOver(transport)).result, 'unclear', words)
    await sendOver(transport)
    assert.equal(count(heard, 'EHLO'), 2)
  }
})

test('of two replies at once the first one counts, and the connection is closed', async (t) => {
  for (const extra of ['250 2.0.0 taken', '550 5.1.1 nobody', '421 4.3.2 bye']) {
    const { transport, heard } = await relayThat(t, { '.': `250 2.0.0 first\r\n${extra}` })
    for (let n = 0; n < 2; n++) {
      assert.deepEqual(await sendOver(transport), { result: 'accepted', words: '250 2.0.0 first' })
    }
    assert.deepEqual([count(heard, 'EHLO'), count(heard, '.')], [2, 2], 'each went once')
  }
})

test('an extra reply to the commands leaves the message untouched, and no content is sent on that connection', async (t) => {
  for (const extra of ['250 fine', '354 go on']) {
    const { transport, heard } = await relayThat(t, { DATA: `354 go on\r\n${extra}` })
    assert.equal((await sendOver(transport)).result, 'untouched')
    await sleep(30)
    assert.equal(count(heard, '.'), 0)
  }
})

test('a late reply is not read as the reply to the next message', async (t) => {
  for (const ehlo of ['250-rude\r\n250 PIPELINING', '250 rude'] as const) {
    for (const late of ['250 2.0.0 taken', '250-2.0.0 so\r\n250 and so']) {
      let messages = 0
      const { transport, heard } = await relayThat(
        t,
        {
          // The late reply comes when the next message's commands have already been sent.
          MAIL: () => (messages++ === 1 ? `${late}\r\n250 fine` : '250 fine'),
        },
        ehlo,
      )
      for (let n = 0; n < 2; n++) {
        assert.deepEqual(await sendOver(transport), {
          result: 'accepted',
          words: '250 2.0.0 taken',
        })
      }
      assert.deepEqual([count(heard, 'EHLO'), count(heard, '.')], [2, 2], 'each went once')
    }
  }
})

test('a late refusal does not refuse the next message', async (t) => {
  let messages = 0
  const { transport, heard } = await relayThat(t, {
    MAIL: () => (messages++ === 1 ? '550 5.1.1 nobody\r\n250 fine' : '250 fine'),
  })
  for (let n = 0; n < 2; n++) assert.equal((await sendOver(transport)).result, 'accepted')
  assert.deepEqual([count(heard, 'EHLO'), count(heard, '.')], [2, 2])
})
