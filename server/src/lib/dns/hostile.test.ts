/** Servers that are slow, broken or lying: their data is never trusted, and the wait is short. */
import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { rawServer } from '../../../../tests/support/network/remote-server.ts'
import { fc } from '../../../../tests/support/properties.ts'
import type { DnsServer } from './exchange.ts'
import { decodeReply, encodeQuery } from './message.ts'
import { DnsFormatError, encodeName, readName } from './name.ts'
import { createResolver } from './resolver.ts'

type Answer = (query: Buffer) => Buffer | Buffer[] | undefined

const open: dgram.Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

async function serverThat(answer: Answer): Promise<DnsServer> {
  const socket = dgram.createSocket('udp4')
  open.push(socket)
  socket.on('message', (query, { port, address }) => {
    for (const reply of [answer(query) ?? []].flat()) socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: '127.0.0.1', port: (socket.address() as AddressInfo).port }
}

const flags = { answer: 0x8180, truncated: 0x8380, servfail: 0x8182, refused: 0x8185 }

/** Turns the query into its reply, with these records appended. */
function reply(query: Buffer, word: number, records: Buffer[] = []): Buffer {
  const question = readName(query, 12).next + 4
  const head = Buffer.from(query.subarray(0, question))
  head.writeUInt16BE(word, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt16BE(0, 10)
  return Buffer.concat([head, ...records])
}

function txt(name: string, text: string): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(16, 0)
  head.writeUInt16BE(1, 2)
  head.writeInt32BE(300, 4)
  head.writeUInt16BE(text.length + 1, 8)
  return Buffer.concat([encodeName(name), head, Buffer.from([text.length]), Buffer.from(text)])
}

/** Returns the resolver's result from these servers, in one round of 200 ms. */
const ask = (...servers: DnsServer[]) =>
  createResolver({ servers, rounds: [200] }).lookup('shop.test', 'TXT')
const failureOf = async (...servers: DnsServer[]) => {
  const lookup = await ask(...servers)
  return lookup.outcome === 'failed' ? lookup.failure : lookup
}
const honest: Answer = (query) => reply(query, flags.answer, [txt('shop.test', 'fine')])
const textsOf = async (...servers: DnsServer[]) => {
  const lookup = await ask(...servers)
  return lookup.outcome === 'found' ? lookup.records.map(({ text }) => text) : lookup
}

test('a DNS server that does not respond is given up, and the next one is queried', async () => {
  const silent = await serverThat(() => undefined)
  assert.equal(await failureOf(silent), 'timeout')
  assert.deepEqual(await textsOf(silent, await serverThat(honest)), ['fine'])
})

test('a server that fails or refuses is distinguished from one that is unreachable', async () => {
  const failing = await serverThat((query) => reply(query, flags.servfail))
  const refusing = await serverThat((query) => reply(query, flags.refused))
  const nobody = { address: '127.0.0.1', port: 1 }
  assert.equal(await failureOf(failing), 'server_failure')
  assert.equal(await failureOf(refusing), 'server_failure')
  assert.equal(await failureOf(nobody), 'unreachable')
  assert.deepEqual(await textsOf(failing, refusing, nobody, await serverThat(honest)), {
    outcome: 'failed',
    failure: 'unreachable',
    aliases: [],
  })
})

test('replies to other queries are ignored, and the right one after them is used', async () => {
  const liar = await serverThat((query) => {
    const wrongId = reply(query, flags.answer, [txt('shop.test', 'wrong id')])
    wrongId.writeUInt16BE(query.readUInt16BE(0) ^ 1, 0)
    const other = Buffer.from(query)
    other[13] = 'x'.charCodeAt(0)
    const wrongName = reply(other, flags.answer, [txt('shop.test', 'wrong name')])
    return [wrongId, wrongName, Buffer.from('junk'), query, honest(query) as Buffer]
  })
  assert.deepEqual(await textsOf(liar), ['fine'])
})

test('records of names that were not queried are ignored', async () => {
  const generous = await serverThat((query) =>
    reply(query, flags.answer, [txt('other.test', 'poison'), txt('shop.test', 'fine')]),
  )
  assert.deepEqual(await textsOf(generous), ['fine'])
})

test('a reply that breaks the protocol is reported as malformed', async () => {
  const cut = await serverThat((query) => (honest(query) as Buffer).subarray(0, -3))
  assert.equal(await failureOf(cut), 'malformed')
  const long = await serverThat((query) => {
    const record = txt('shop.test', 'fine')
    record[record.length - 5] = 200
    return reply(query, flags.answer, [record])
  })
  assert.equal(await failureOf(long), 'malformed')
})

test('a truncated reply is queried again over TCP, and a TCP server that hangs up or stalls is handled', async () => {
  const truncated: Answer = (query) => reply(query, flags.truncated)
  const udp = await serverThat(truncated)
  assert.equal(await failureOf(udp), 'unreachable', 'nobody listens there')
  const places: [how: (socket: { destroy(): void }) => void, failure: string][] = [
    [(socket) => socket.destroy(), 'unreachable'],
    [() => {}, 'timeout'],
  ]
  for (const [how, failure] of places) {
    const tcp = await rawServer(how)
    const socket = dgram.createSocket('udp4')
    open.push(socket)
    socket.on('message', (query, { port }) => socket.send(reply(query, flags.truncated), port))
    socket.bind(tcp.port, '127.0.0.1')
    await once(socket, 'listening')
    assert.equal(await failureOf({ address: '127.0.0.1', port: tcp.port }), failure)
    await tcp.close()
  }
})

test('the caller’s timeout ends a lookup, whatever the servers do', async () => {
  const silent = await serverThat(() => undefined)
  const resolver = createResolver({ servers: [silent], rounds: [60_000] })
  const started = performance.now()
  const lookup = await resolver.lookup('shop.test', 'TXT', AbortSignal.timeout(100))
  assert.equal(lookup.outcome === 'failed' && lookup.failure, 'timeout')
  assert.ok(performance.now() - started < 10_000)
})

test('an invalid name is refused before any server is queried', async () => {
  const resolver = createResolver({ servers: [{ address: '127.0.0.1', port: 1 }], rounds: [200] })
  for (const name of [`${'a'.repeat(64)}.test`, 'a..test', 'ab.'.repeat(90)]) {
    const lookup = await resolver.lookup(name, 'TXT')
    assert.equal(lookup.outcome === 'failed' && lookup.failure, 'malformed', name)
  }
})

test('no reply makes the reader loop or throw any error but its own', () => {
  const query = { id: 0x1234, name: 'shop.test', type: 'TXT' as const }
  const question = encodeQuery(query).subarray(12, -11)
  const behind = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    // Compression pointers, which hostile messages consist of.
    fc.array(fc.constantFrom(0xc0, 0x0c, 0x00, 0x10, 0x01, 0xff, 0x1c), { maxLength: 300 }),
  )
  fc.assert(
    fc.property(fc.nat(0xff), fc.nat(0xff), behind, (answers, authority, bytes) => {
      const head = Buffer.from([0x12, 0x34, 0x81, 0x80, 0, 1, 0, answers, 0, authority, 0, 0])
      try {
        decodeReply(Buffer.concat([head, question, Buffer.from(bytes)]), query)
      } catch (error) {
        assert.ok(error instanceof DnsFormatError)
      }
    }),
    { numRuns: 5000 },
  )
})

test('names are encoded and decoded unchanged, with special bytes escaped', () => {
  const label = fc.stringMatching(/^[a-z0-9_-]{1,63}$/)
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const name = labels.join('.')
      assert.deepEqual(readName(encodeName(name), 0), { name, next: name.length + 2 })
    }),
  )
  assert.equal(readName(Buffer.from([3, 0x41, 0x2e, 0xff, 0]), 0).name, 'a\\046\\255')
})
