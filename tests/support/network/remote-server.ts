/** The remote server of the network: servers on loopback that behave as a test says. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { Certificate } from '../mail/certificate.ts'

export interface FarEnd {
  port: number
  /** Connections opened so far. */
  readonly connections: number
  close(): Promise<void>
}

async function listening(server: net.Server, host = '127.0.0.1'): Promise<FarEnd> {
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
export function httpServer(handle: http.RequestListener, host?: string): Promise<FarEnd> {
  return listening(http.createServer(handle), host)
}

export function httpsServer(identity: Certificate, handle: http.RequestListener): Promise<FarEnd> {
  return listening(https.createServer(identity, handle))
}

/** Speaks to the socket itself, for what no HTTP server would say. */
export function rawServer(talk: (socket: net.Socket) => void, host?: string): Promise<FarEnd> {
  return listening(net.createServer(talk), host)
}
