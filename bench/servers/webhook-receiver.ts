/** The receiver: it responds with 200 to every request and does nothing else. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const server = http.createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end())
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
