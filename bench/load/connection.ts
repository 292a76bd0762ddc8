/**
 * One keep-alive connection that sends a request, waits for the whole response and repeats:
 * HTTP/1.1 over a raw socket, pipelining 1. Why not autocannon: against the Fastify echo at 42,000
 * requests a second one request cost its process 17.8 µs of CPU (its parser is JavaScript). Here it
 * costs three quarters of that, most of it system calls, with every body compared. Of two cores,
 * the time that the generator saves is left to the servers and to PostgreSQL. Also, autocannon
 * cannot follow a refresh chain, where each request depends on the response before it.
 */
import { once } from 'node:events'
import { connect } from 'node:net'

export interface Answer {
  status: number
  body: Buffer
}

export interface ConnectionEvents {
  answer: (answer: Answer) => void
  /** The connection broke, or the response is not HTTP. The connection can no longer be used. */
  fault: (error: Error) => void
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const lengthAsMostSay = Buffer.from('\r\ncontent-length: ')

/** The most bytes of one read. */
const readRoom = 64 * 1024

export interface Connection {
  send(request: Buffer): void
  close(): void
}

/**
 * Resolves when the connection is open. Responses are read into a buffer that is reused, so the
 * body of a response is valid until its listener returns. A buffer and a stream event for each
 * response took a quarter of the cost of this.
 */
export async function openConnection(port: number, events: ConnectionEvents): Promise<Connection> {
  let pending: Buffer | undefined
  const take = (chunk: Buffer): void => {
    const bytes = pending ? Buffer.concat([pending, chunk]) : chunk
    try {
      const answer = readAnswer(bytes)
      // Copied, because the next read overwrites the buffer.
      pending = answer ? undefined : Buffer.from(bytes)
      if (answer) events.answer(answer)
    } catch (error) {
      events.fault(error as Error)
    }
  }
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.alloc(readRoom),
      callback(length, room) {
        take(Buffer.from(room.buffer, room.byteOffset, length))
        return true
      },
    },
  })
  await once(socket, 'connect')
  const closed = () => events.fault(new Error('the server closed the connection'))
  socket.on('error', events.fault)
  socket.on('close', closed)
  return {
    send: (request) => void socket.write(request),
    close() {
      socket.off('close', closed)
      socket.destroy()
    },
  }
}

/** The response; undefined while bytes of it are missing. Bytes beyond it are a fault. */
function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return undefined
  const start = end + headEnd.length
  const status = readStatus(bytes)
  const length = readLength(bytes, end)
  if (length !== undefined) {
    if (bytes.length < start + length) return undefined
    return { status, body: exactly(bytes, start, start + length, bytes.length) }
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(bytes.toString('latin1', 0, end))) {
    return readChunks(status, bytes, start)
  }
  return { status, body: exactly(bytes, start, start, bytes.length) }
}

/** RFC 9112 section 4: `HTTP/1.1 200 …`. */
function readStatus(bytes: Buffer): number {
  const line = bytes.toString('latin1', 0, 13)
  const status = /^HTTP\/1\.1 (\d{3}) $/.exec(line)?.[1]
  if (status === undefined) throw new Error(`not HTTP: ${line}`)
  return Number(status)
}

function readLength(bytes: Buffer, end: number): number | undefined {
  const at = bytes.indexOf(lengthAsMostSay)
  if (at >= 0 && at < end) {
    const from = at + lengthAsMostSay.length
    return Number(bytes.toString('latin1', from, bytes.indexOf(lineEnd, from)))
  }
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return length === undefined ? undefined : Number(length)
}

/** RFC 9112 section 7.1, without trailers. */
function readChunks(status: number, bytes: Buffer, start: number): Answer | undefined {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const end = bytes.indexOf(lineEnd, at)
    if (end < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (Number.isNaN(size)) throw new Error('a chunk has no size')
    const next = end + lineEnd.length + size + lineEnd.length
    if (bytes.length < next) return undefined
    if (size === 0) {
      exactly(bytes, next, next, bytes.length)
      return { status, body: Buffer.concat(parts) }
    }
    parts.push(bytes.subarray(end + lineEnd.length, next - lineEnd.length))
    at = next
  }
}

function exactly(bytes: Buffer, from: number, to: number, length: number): Buffer {
  if (length > to) throw new Error(`${length - to} bytes more than one answer came`)
  return bytes.subarray(from, to)
}

/** The bytes of a POST, created once and sent often. */
export function postBytes(path: string, headers: Record<string, string>, body: string): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([k, v]) => `${k}: ${v}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`)
}
