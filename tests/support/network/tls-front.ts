/** A proxy that speaks TLS for any host name and passes requests on to a service on this machine. */
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { selfSigned } from '../mail/certificate.ts'

export interface TlsFront {
  port: number
  close(): Promise<void>
}

export async function tlsFront(hostname: string, servicePort: number): Promise<TlsFront> {
  const server = https.createServer(selfSigned(hostname), (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const target = { host: '127.0.0.1', port: servicePort, method, path: url, headers }
    const onward = http.request(target, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response, () => {})
    })
    onward.on('error', () => response.destroy())
    pipeline(request, onward, () => {})
    response.on('close', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
