/**
 * A relay whose answers over STARTTLS or TLS are set by the test. It keeps the chunks that it
 * received, and whether each was unencrypted.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'

export interface TlsRelayOptions {
  certificate: Certificate
  /** TLS from the first byte. */
  smtps?: boolean
  /** Its answers to EHLO before and after the upgrade. */
  ehlo?: { clear?: string; safe?: string }
  /** The bytes that it sends in one write as the reply to STARTTLS. */
  starttls?: string
  /** Whether it makes the handshake after its 220. */
  upgrades?: boolean
  /** Its replies on the encrypted connection; where it has none, the usual replies. */
  act?: (line: string, socket: Socket) => string | false | undefined
}

export interface TlsRelay {
  url(scheme: 'smtp' | 'smtps', login?: string): string
  clear: string[]
  safe: string[]
  connections: number
}

const usual: Readonly<Record<string, string>> = {
  AUTH: '235 2.7.0 welcome',
  DATA: '354 go on',
  '.': '250 2.0.0 taken',
}

export async function tlsRelay(
  t: { after(work: () => unknown): void },
  { certificate, smtps, ehlo = {}, starttls = '220 go on\r\n', ...options }: TlsRelayOptions,
): Promise<TlsRelay> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  }
  const secured = (socket: Socket) => {
    const safe = new TLSSocket(socket, { isServer: true, ...certificate })
    keep(safe)
    return safe
  }
  const relay: TlsRelay = {
    url: (scheme, login = '') => {
      const { port } = server.address() as AddressInfo
      return `${scheme}://${login}localhost:${port}?pool=1`
    },
    clear: [],
    safe: [],
    connections: 0,
  }
  const converse = (socket: Socket, isSafe: boolean) => {
    socket.on('data', function heard(chunk: Buffer) {
      const text = chunk.toString()
      relay[isSafe ? 'safe' : 'clear'].push(text)
      for (const line of text.split('\r\n').filter(Boolean)) {
        if (line === 'STARTTLS') {
          socket.write(starttls)
          if (options.upgrades === false || !starttls.startsWith('220')) continue
          socket.off('data', heard)
          converse(secured(socket), true)
          return
        }
        const words = answerTo(line, socket, isSafe)
        if (words) socket.write(`${words}\r\n`)
      }
    })
  }
  const answerTo = (line: string, socket: Socket, isSafe: boolean) => {
    const word = line.split(' ')[0] ?? ''
    const own = isSafe ? options.act?.(line, socket) : undefined
    if (own !== undefined) return own
    if (word === 'EHLO') {
      return isSafe ? (ehlo.safe ?? '250 safe') : (ehlo.clear ?? '250-clear\r\n250 STARTTLS')
    }
    return usual[word] ?? (/^(?:MAIL|RCPT|RSET)$/.test(word) ? '250 fine' : undefined)
  }
  const server = createServer((socket) => {
    relay.connections++
    keep(socket)
    const talking = smtps ? secured(socket) : socket
    talking.write('220 relay\r\n')
    converse(talking, smtps === true)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return relay
}
