/** Remote servers: servers on loopback whose behaviour a test sets. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { Certificate } from '../mail/certificate.ts'

export interface RemoteServer {
  port: number
  /** Connections opened so far. */
  readonly connections: number
  close(): Promise<void>
}

async function listening(server: net.Server, host = '127.0.0.1'): Promise<RemoteServer> {
  const sockets = new Set<net.Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)))
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    get connections() {
      return connections
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** `host`: an address of the loopback, where a test needs several. */
export function httpServer(handle: http.RequestListener, host?: string): Promise<RemoteServer> {
  return listening(http.createServer(handle), host)
}

export function httpsServer(
  identity: Certificate,
  handle: http.RequestListener,
): Promise<RemoteServer> {
  return listening(https.createServer(identity, handle))
}

/** Writes to the socket directly, for answers that no HTTP server would give. */
export function rawServer(
  talk: (socket: net.Socket) => void,
  host?: string,
): Promise<RemoteServer> {
  return listening(net.createServer(talk), host)
}
