/**
 * The baseline: a bare Fastify server that returns its JSON body, padded to the size of the
 * response it is compared with (bytes of filler: the first argument), so that the same number of
 * bytes travels each way.
 */
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'

const filler = 'x'.repeat(Number(process.argv[2] ?? 0))
const app = fastify()
app.post('/', async (request) => ({ echo: request.body, filler }))
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`)
process.stdin.resume().on('end', () => process.exit(0))
