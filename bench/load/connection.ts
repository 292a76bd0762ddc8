/**
 * One keep-alive connection that asks, waits for the whole answer and asks again: HTTP/1.1
 * over a raw socket, pipelining 1.
 *
 * Why not autocannon: against the Fastify echo at 42,000 requests a second one of them cost
 * its process 17.8 µs of CPU (its parser is JavaScript), and costs this 13.7, nearly all of
 * it system calls, with every body compared. Of two cores, what the generator saves is left
 * to the servers and to PostgreSQL. And it cannot follow a refresh chain, where each request
 * is made from the answer before it.
 */
import { once } from 'node:events'
import { connect } from 'node:net'

export interface Answer {
  status: number
  body: Buffer
}

export interface ConnectionEvents {
  answer: (answer: Answer) => void
  /** The connection broke, or what came is not HTTP; it is of no more use. */
  fault: (error: Error) => void
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

export interface Connection {
  send(request: Buffer): void
  close(): void
}

/** Resolves when the connection stands. */
export async function openConnection(port: number, events: ConnectionEvents): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let pending: Buffer | undefined
  socket.on('data', (chunk) => {
    const bytes = pending ? Buffer.concat([pending, chunk]) : chunk
    try {
      const answer = readAnswer(bytes)
      pending = answer ? undefined : bytes
      if (answer) events.answer(answer)
    } catch (error) {
      events.fault(error as Error)
    }
  })
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

/** The answer, or undefined while bytes of it are missing. Bytes beyond it are a fault. */
function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  if (!head.startsWith('HTTP/1.1 ') || Number.isNaN(status)) throw new Error(`not HTTP: ${head}`)
  const start = end + headEnd.length
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const size = Number(length)
    if (bytes.length < start + size) return undefined
    return { status, body: exactly(bytes, start, start + size, bytes.length) }
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return readChunks(status, bytes, start)
  return { status, body: exactly(bytes, start, start, bytes.length) }
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

/** The bytes of a POST, made once and sent often. */
export function postBytes(path: string, headers: Record<string, string>, body: string): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([k, v]) => `${k}: ${v}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`)
}
