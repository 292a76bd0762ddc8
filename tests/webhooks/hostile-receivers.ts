/** Misbehaving receivers, each on its own port. */
import type http from 'node:http'
import type net from 'node:net'
import { httpServer, type RemoteServer, rawServer } from '../support/network/remote-server.ts'

/** The address on which they listen; none of them may cause a request to 127.0.0.1. */
export const theirAddress = '127.0.0.2'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

/** Accepts the request and never answers. */
export const hangs = () => rawServer(() => {}, theirAddress)

/** Sends a byte of its headers each second. */
export const drips = () =>
  rawServer((socket) => drip(socket, `${head}content-length: 100\r\n\r\n`), theirAddress)

/** Sends all of its headers at once, then a byte of the body each second. */
export const dripsItsBody = () =>
  rawServer((socket) => {
    socket.write(`${head}content-length: 100\r\n\r\n`)
    drip(socket, 'x'.repeat(100))
  }, theirAddress)

function drip(socket: net.Socket, text: string): void {
  const letters = text[Symbol.iterator]()
  const timer = setInterval(() => {
    const { value, done } = letters.next()
    if (done) clearInterval(timer)
    else socket.write(value)
  }, 1000)
  socket.on('close', () => clearInterval(timer))
}

/** Redirects to another address. */
export const redirects = (to: string) =>
  httpServer((_request, response) => response.writeHead(302, { location: to }).end(), theirAddress)

/** Sends a response that never ends. */
export const neverEnds = () =>
  httpServer((_request, response) => {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    }
    response.on('drain', pour)
    pour()
  }, theirAddress)

/** Disconnects in the middle of a header. */
export const hangsUp = () =>
  rawServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-ty')
      socket.destroy()
    })
  }, theirAddress)

/** Answers, and passes each received body to `took`. */
export function answers(
  took: (body: string) => void,
  address = theirAddress,
): Promise<RemoteServer> {
  return httpServer((request: http.IncomingMessage, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      took(body)
      response.end()
    })
  }, address)
}
