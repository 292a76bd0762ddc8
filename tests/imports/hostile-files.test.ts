/** Files that cannot be imported, sent to the whole service: the answers, and the memory they take. */

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { connect } from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'

/** `npm run soak` sets it to 1,024. */
const megabytes = Number(process.env['IMPORT_LINE_MB'] ?? 16)
const megabyte = 1024 * 1024
/** The most memory that a file may take, in the service and in the client that sends it. */
const mostMegabytes = 100

let service: Service
let headers: Record<string, string>

before(async () => {
  service = await startService()
  const scope = 'meta:read audience:read audience:write'
  const { tokens } = await connect(service.url, { scope })
  headers = { authorization: `Bearer ${tokens.access_token}` }
})
after(() => service.close())

interface Answer {
  status: number
  body: {
    code?: string
    field?: string
    message?: string
    imports?: { state: string; fault?: { field: string; message: string } }[]
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${service.url}/v1/imports${path}`, {
    ...init,
    headers: { ...headers, 'content-type': 'text/csv' },
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

const newest = async () => (await ask('')).body.imports?.[0]

interface Sent extends Answer {
  seconds: number
  grownMegabytes: number
}

/** Sends a file as a stream, and measures until it is answered. */
async function send(source: AsyncIterable<Uint8Array>): Promise<Sent> {
  const idle = process.memoryUsage().rss
  let most = idle
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  const began = performance.now()
  try {
    const init = { method: 'POST', body: source, duplex: 'half' }
    const answer = await ask('?file_name=people.csv', init as never)
    const seconds = (performance.now() - began) / 1000
    return { ...answer, seconds, grownMegabytes: Math.round((most - idle) / megabyte) }
  } finally {
    clearInterval(watch)
  }
}

async function* repeated(start: string, piece: Buffer): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start)
  for (let n = 0; n < megabytes; n++) yield piece
}

const summaryOf = ({ seconds, grownMegabytes }: Sent) =>
  `refused after ${seconds.toFixed(1)} s; memory ${grownMegabytes} MB above idle`

test('a single line of the size of a whole file is refused at its second megabyte', async (t) => {
  const sent = await send(repeated('', Buffer.alloc(megabyte, 'x')))
  assert.deepEqual([sent.status, sent.body.code, sent.body.field], [400, 'invalid_request', 'file'])
  assert.match(sent.body.message ?? '', /first line is longer than 1 MB/)
  assert.ok(sent.grownMegabytes < mostMegabytes, summaryOf(sent))
  const { state, fault } = (await newest()) ?? {}
  assert.deepEqual([state, fault?.message], ['failed', sent.body.message])
  t.diagnostic(`one line of ${megabytes} MB: ${summaryOf(sent)}`)
})

test('a single row of that size below others is refused there too', async (t) => {
  const sent = await send(repeated('email,name\nana@example.com,"', Buffer.alloc(megabyte, 'x')))
  assert.deepEqual([sent.status, sent.body.code, sent.body.field], [400, 'invalid_request', 'file'])
  assert.match(sent.body.message ?? '', /row that begins at byte 11 is longer than 1 MB/)
  assert.ok(sent.grownMegabytes < mostMegabytes, summaryOf(sent))
  t.diagnostic(`one row of ${megabytes} MB: ${summaryOf(sent)}`)
})

test('a file that declares more than a gigabyte is refused before its first byte', async () => {
  const sending = request(`${service.url}/v1/imports?file_name=a.csv`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv', 'content-length': 1024 * megabyte + 1 },
  })
  sending.flushHeaders()
  const status = await new Promise((resolve, reject) => {
    sending.once('response', ({ statusCode }) => resolve(statusCode))
    sending.once('error', reject)
  })
  sending.destroy()
  assert.equal(status, 413)
})
