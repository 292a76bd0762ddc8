/** A proxy in front of a receiver that records the requests byte by byte. */
import http, { type IncomingHttpHeaders } from 'node:http'
import { httpServer } from '../support/network/remote-server.ts'

export interface Recorded {
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface RecordingProxy {
  url: string
  readonly requests: Recorded[]
  close(): Promise<void>
}

export async function recordingProxy(target: string): Promise<RecordingProxy> {
  const requests: Recorded[] = []
  const server = await httpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { headers } = request
      requests.push({ headers, body })
      const passed = http.request(target, { method: 'POST', headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502)
        answer.pipe(response)
      })
      passed.on('error', () => response.destroy())
      passed.end(body)
    })
  })
  return { url: `http://127.0.0.1:${server.port}/`, requests, close: () => server.close() }
}
