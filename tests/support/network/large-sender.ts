/**
 * Sends bodies of a given size to an address, one after the other, and prints each outcome: `413
 * too_large`, or the code of a failure. It is a separate process, because one that shares its event
 * loop with the server never writes at the moment when the connection is closed.
 */
import { request } from 'node:http'
import { json } from 'node:stream/consumers'

const [way = '', url = '', bytes, times] = process.argv.slice(2)
const body = Buffer.alloc(Number(bytes), ' ')
const headers = { 'content-type': 'application/json' }

async function byFetch(): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body })
  return `${response.status} ${((await response.json()) as { code: string }).code}`
}

function byHttp(): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': body.length }
    const asked = request(url, { method: 'POST', headers: { ...headers, ...length } })
    asked.on('error', reject)
    asked.on('response', (response) => {
      json(response).then(
        (read) => resolve(`${response.statusCode} ${(read as { code: string }).code}`),
        reject,
      )
    })
    asked.end(body)
  })
}

const send = way === 'fetch' ? byFetch : byHttp
for (let n = 0; n < Number(times); n++) {
  const said = await send().catch((error: Error & { code?: string }) => {
    const { cause } = error as { cause?: { code?: string } }
    return cause?.code ?? error.code ?? error.message
  })
  process.stdout.write(`${said}\n`)
}
