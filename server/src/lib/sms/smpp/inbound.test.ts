import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { openSmsTransport } from '../../../../../tests/support/sms/sms-transport.ts'
import { startSmsc, withoutSmsc } from '../../../../../tests/support/sms/smsc.ts'
import { eventually } from '../../../../../tests/support/time/eventually.ts'
import { systemClock } from '../../time/clock.ts'
import { parseSmsUrl } from '../sms-url.ts'
import { createSmppTransport } from './smpp-transport.ts'

const skip = withoutSmsc() ?? false
const phone = '33612345678'

async function peer(t: TestContext) {
  const smsc = await startSmsc()
  t.after(() => smsc.stop())
  const transport = openSmsTransport(smsc.url())
  t.after(() => transport.close())
  transport.listen()
  await smsc.until('bound', 1)
  const part = (octets: Buffer, fields: object = {}) =>
    smsc.order('inbound', {
      message: octets.toString('hex'),
      fields: { source_addr: phone, destination_addr: '12345', ...fields },
    })
  const heard = (count = 1) =>
    eventually(
      () => transport.texts,
      ({ length }) => length >= count,
    )
  return { smsc, transport, part, heard }
}

test('an inbound STOP arrives before anything was sent, and is acknowledged to the SMSC', {
  skip,
}, async (t) => {
  const { smsc, heard } = await peer(t)
  await smsc.phoneSends(phone, 'STOP')
  const [text] = await heard()
  assert.deepEqual([text?.from, text?.to, text?.body], [`+${phone}`, '12345', 'STOP'])
  assert.equal((await smsc.until('taken', 1))[0]?.['status'], 0)
})

test('inbound texts are decoded by the coding that they declare', { skip }, async (t) => {
  const { part, heard, smsc } = await peer(t)
  const codings: [number, Buffer][] = [
    [0, Buffer.from([0x41, 0x1b, 0x65])],
    [1, Buffer.from('plain')],
    [3, Buffer.from('à', 'latin1')],
    [8, Buffer.from('ж👍', 'utf16le').swap16()],
    [0xf1, Buffer.from([0x00])],
  ]
  for (const [coding, octets] of codings) await part(octets, { data_coding: coding })
  await part(Buffer.from([1, 2]), { data_coding: 4 })
  const texts = await heard(5)
  assert.deepEqual(
    texts.map(({ body }) => body),
    ['A€', 'plain', 'à', 'ж👍', '@'],
  )
  assert.equal((await smsc.until('taken', 6)).length, 6)
})

test('an inbound part is reported with its place in the text, however it is marked', {
  skip,
}, async (t) => {
  const { part, heard, smsc } = await peer(t)
  const short = (n: number) => Buffer.from([5, 0, 3, 7, 3, n])
  const wide = (n: number) => Buffer.from([6, 8, 4, 1, 0, 2, n])
  const udh = { esm_class: 0x40 }
  await part(Buffer.concat([short(3), Buffer.from('three')]), udh)
  await part(Buffer.concat([wide(2), Buffer.from('right')]), udh)
  await part(Buffer.from('b'), {
    sar_msg_ref_num: '0009',
    sar_total_segments: '02',
    sar_segment_seqnum: '02',
  })
  await part(Buffer.concat([Buffer.from([5, 0, 3, 7, 3, 4]), Buffer.from('beyond')]), udh)
  const texts = await heard(4)
  assert.deepEqual(
    texts.map(({ body, partPlace }) => [body, partPlace]),
    [
      ['three', { reference: 7, total: 3, part: 3 }],
      ['right', { reference: 256, total: 2, part: 2 }],
      ['b', { reference: 9, total: 2, part: 2 }],
      ['beyond', undefined],
    ],
  )
  assert.equal((await smsc.until('taken', 4)).length, 4)
})

test('a text in message_payload is read, and a text from a short number or a name is ignored', {
  skip,
}, async (t) => {
  const { part, heard, smsc, transport } = await peer(t)
  await part(Buffer.alloc(0), { source_addr: 'Bank', source_addr_ton: 5 })
  await part(Buffer.from('x'), { source_addr: '700', source_addr_ton: 3 })
  await smsc.until('taken', 2)
  assert.equal(transport.texts.length, 0)
  await part(Buffer.alloc(0), { message_payload: Buffer.from('y'.repeat(400)).toString('hex') })
  assert.equal((await heard())[0]?.body.length, 400)
})

test('an inbound text that the listener cannot accept is delivered again later', {
  skip,
}, async (t) => {
  const smsc = await startSmsc()
  t.after(() => smsc.stop())
  const options = parseSmsUrl(smsc.url())
  assert.ok(options)
  const fail = () => Promise.reject(new Error('the database is down'))
  const listener = { receipt: fail, inbound: fail }
  const transport = createSmppTransport(options, { clock: systemClock, log: silentLog, listener })
  t.after(() => transport.close())
  transport.listen()
  await smsc.until('bound', 1)
  await smsc.phoneSends(phone, 'STOP')
  assert.equal((await smsc.until('taken', 1))[0]?.['status'], 0x64)
})
