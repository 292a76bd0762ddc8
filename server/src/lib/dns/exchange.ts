/** Sends one query to one server: over UDP, and over TCP where the reply did not fit. */
import { randomInt } from 'node:crypto'
import dgram from 'node:dgram'
import net from 'node:net'
import { decodeReply, encodeQuery, type Query, type RecordType, type Reply } from './message.ts'

export interface DnsServer {
  address: string
  port: number
}

/** Rejects where no reply to the query arrives before the signal aborts. */
export async function exchange(
  server: DnsServer,
  question: { name: string; type: RecordType },
  signal: AbortSignal,
): Promise<Reply> {
  // A forger who cannot eavesdrop must guess this id and the source port (RFC 5452, section 9.2).
  const query = { ...question, id: randomInt(0x10000) }
  const request = { query, message: encodeQuery(query) }
  const reply = await overUdp(server, request, signal)
  return reply.truncated ? overTcp(server, request, signal) : reply
}

interface EncodedQuery {
  query: Query
  message: Buffer
}

function overUdp(
  server: DnsServer,
  { query, message }: EncodedQuery,
  signal: AbortSignal,
): Promise<Reply> {
  const socket = dgram.createSocket(net.isIPv6(server.address) ? 'udp6' : 'udp4')
  return new Promise<Reply>((resolve, reject) => {
    whenAborted(signal, reject)
    socket.on('error', reject)
    socket.on('message', (came) => settleWith(came, query, resolve, reject))
    // A connected socket receives from this server only, and reports where no server listens.
    socket.connect(server.port, server.address, () => {
      if (!signal.aborted) socket.send(message)
    })
  }).finally(() => socket.close())
}

function overTcp(
  server: DnsServer,
  { query, message }: EncodedQuery,
  signal: AbortSignal,
): Promise<Reply> {
  const socket = net.connect({ host: server.address, port: server.port })
  return new Promise<Reply>((resolve, reject) => {
    whenAborted(signal, reject)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server hung up')))
    socket.on('connect', () => socket.write(framed(message)))
    let came = Buffer.alloc(0)
    socket.on('data', (piece: Buffer) => {
      came = Buffer.concat([came, piece])
      // RFC 1035, 4.2.2: two bytes give the length of the message.
      while (came.length >= 2 && came.length >= 2 + came.readUInt16BE(0)) {
        const end = 2 + came.readUInt16BE(0)
        settleWith(came.subarray(2, end), query, resolve, reject)
        came = came.subarray(end)
      }
    })
  }).finally(() => socket.destroy())
}

/** Ignores messages that are not the reply, because the reply may still come. */
function settleWith(
  message: Buffer,
  query: Query,
  resolve: (reply: Reply) => void,
  reject: (error: unknown) => void,
): void {
  try {
    const reply = decodeReply(message, query)
    if (reply) resolve(reply)
  } catch (error) {
    reject(error)
  }
}

function whenAborted(signal: AbortSignal, reject: (reason: unknown) => void): void {
  if (signal.aborted) reject(signal.reason)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
}

function framed(message: Buffer): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(message.length)
  return Buffer.concat([size, message])
}
