/** Malformed and hostile data from an SMSC: none of it may stop a process or change a frame. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { cpuMs } from '../../../../../tests/support/processes/cpu-time.ts'
import { fc } from '../../../../../tests/support/properties.ts'
import { partsOf } from '../segments.ts'
import { decodeDeliver } from './deliver.ts'
import { createLink } from './link.ts'
import { BadPdu, BrokenStream, command, createPduReader, encodePdu, type Pdu } from './pdu.ts'
import { readReceipt } from './receipt.ts'
import { encodeSubmit, type LongTexts } from './submit.ts'

const octets = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff })
const frames = fc.record(
  { command: uint32, status: uint32, sequence: uint32, body: octets(80) },
  { noNullPrototype: true },
)

test('frames are read back as they were written, wherever the stream is cut', () => {
  const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 60 })
  fc.assert(
    fc.property(fc.array(frames, { maxLength: 6 }), cuts, (sent, sizes) => {
      const stream = Buffer.concat(sent.map(encodePdu))
      const reader = createPduReader()
      const read: Pdu[] = []
      let at = 0
      for (const size of [...sizes, stream.length]) {
        read.push(...reader.read(stream.subarray(at, at + size)))
        at += size
      }
      assert.deepEqual(read, sent)
    }),
    { numRuns: 500 },
  )
})

test('any octets are read as frames or end the stream', () => {
  fc.assert(
    fc.property(fc.array(octets(200), { maxLength: 10 }), (chunks) => {
      const reader = createPduReader()
      try {
        for (const chunk of chunks) reader.read(chunk)
      } catch (error) {
        assert.ok(error instanceof BrokenStream)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a frame’s length must be between its minimum and its maximum', () => {
  const head = (length: number) => {
    const octets = Buffer.alloc(16)
    octets.writeUInt32BE(length)
    return octets
  }
  for (const length of [0, 15, 66 * 1024 + 1, 0xffff_ffff]) {
    assert.throws(() => createPduReader().read(head(length)), BrokenStream)
  }
  assert.deepEqual(createPduReader().read(head(66 * 1024)), [])
  assert.equal(createPduReader().read(head(16)).length, 1)
})

const decoded = (body: Buffer) => {
  try {
    return decodeDeliver(body)
  } catch (error) {
    assert.ok(error instanceof BadPdu, String(error))
    return undefined
  }
}

// The valid first fields of a deliver_sm, so that the parser reaches what follows them.
const head = Buffer.concat([Buffer.from('\0\x01\x0133612345678\0\x00\x0012345\0', 'latin1')])

test('any body of a deliver_sm is read or refused', () => {
  fc.assert(
    fc.property(octets(120), fc.boolean(), (body, plausible) => {
      decoded(plausible ? Buffer.concat([head, body]) : body)
    }),
    { numRuns: 5000 },
  )
})

test('a well-formed deliver_sm with any header, coding and fields is read or refused', () => {
  const fields = fc.record({
    esmClass: fc.nat({ max: 255 }),
    coding: fc.nat({ max: 255 }),
    message: octets(80),
    more: octets(40),
  })
  fc.assert(
    fc.property(fields, ({ esmClass, coding, message, more }) => {
      const middle = Buffer.from([esmClass, 0, 0, 0, 0, 0, 0, coding, 0, message.length])
      decoded(Buffer.concat([head, middle, message, more]))
    }),
    { numRuns: 5000 },
  )
})

test('a text is read back from the frames that it was cut into', () => {
  const unit = fc.constantFrom('a', 'é', '€', '\n', 'ж', '👍', '👨‍👩‍👧‍👦', '`', '[')
  const texts = fc.array(unit, { maxLength: 300 }).map((units) => units.join(''))
  const ways = fc.constantFrom<LongTexts>('udh', 'sar', 'payload')
  fc.assert(
    fc.property(texts, ways, (text, longTexts) => {
      const { encoding, parts } = partsOf(text)
      const total = parts.length
      const read = parts.map((body, index) => {
        const header = total > 1 ? Buffer.from([5, 0, 3, 77, total, index + 1]) : undefined
        const part = { body, encoding, header, last: index + 1 === total }
        // submit_sm and deliver_sm have the same fields (sections 4.4.1 and 4.6.1).
        return decoded(encodeSubmit({ from: '+33698765432', to: '+15005550006', part, longTexts }))
      })
      const texts = read.map((delivered) =>
        delivered?.kind === 'text' ? delivered.body : undefined,
      )
      assert.equal(texts.join(''), text)
      assert.ok(
        read.every((delivered) => delivered?.kind === 'text' && delivered.from === '+33698765432'),
      )
    }),
    { numRuns: 1000 },
  )
})

test('any text can be parsed as a possible receipt without an error, and quickly', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      readReceipt(text, new Map())
      readReceipt(`id:1 stat:${text}`, new Map([[0x0427, Buffer.from(text)]]))
    }),
    { numRuns: 2000 },
  )
  const began = cpuMs()
  readReceipt(`id:1${' '.repeat(65_000)}stat:DELIVRD`, new Map())
  assert.ok(cpuMs() - began < 500)
})

/** Returns both ends of a connection. */
async function pair(t: TestContext): Promise<{ ours: Socket; theirs: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ours = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [theirs] = (await once(server, 'connection')) as [Socket]
  theirs.resume().on('error', () => {})
  server.close()
  t.after(() => {
    ours.destroy()
    theirs.destroy()
  })
  return { ours, theirs }
}

test('a link that receives arbitrary data ends or continues', async (t) => {
  const deadlines = { openMs: 1000, answerMs: 50, idleMs: 10_000 }
  const known = fc.constantFrom<number>(...Object.values(command), 0x8000_0004, 0x8000_0009)
  const mad = fc.tuple(frames, known).map(([frame, number]) => ({ ...frame, command: number }))
  const streams = fc.array(fc.oneof(mad.map(encodePdu), octets(60)), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(streams, async (chunks) => {
      const { ours, theirs } = await pair(t)
      const link = createLink(ours, deadlines, async (body) => void decodeDeliver(body))
      const asked = link.ask(command.submitSm, Buffer.alloc(0))
      for (const chunk of chunks) theirs.write(chunk)
      theirs.end()
      assert.match((await asked).result, /^(answered|unclear)$/)
      await link.ended
    }),
    { numRuns: 100 },
  )
})
