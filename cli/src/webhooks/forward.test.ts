import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { verifyWebhook } from '@crier-mail/sdk/node'
import { parseId } from 'crier-server/core/ids.ts'
import { forward } from './forward.ts'
import { newId } from './new-id.ts'
import { sampleEvent } from './sample-event.ts'

const secret = 'whsec_of-this-machine'
const event = sampleEvent('form.submitted', {})

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

async function receiver(answer: Answer) {
  const server = createServer((request, response) => void answer(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { receiver: { url, secret, slug: 'svc' }, close }
}

test('a forwarded event equals the request that a webhook would deliver', async () => {
  let came: IncomingMessage | undefined
  let body = ''
  const { receiver: to, close } = await receiver(async (request, response) => {
    came = request
    body = await text(request)
    response.writeHead(204).end()
  })
  const attempt = await forward(event, to)
  close()
  const headers = came?.headers ?? {}
  assert.deepEqual(verifyWebhook({ body, headers, secret }), event)
  assert.equal(came?.method, 'POST')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['x-svc-event'], 'form.submitted')
  assert.equal(headers['x-svc-delivery'], attempt.delivery_id)
  assert.deepEqual([attempt.status, attempt.error], [204, undefined])
})

test('generated ids are valid ids of the service, and are unique', () => {
  assert.ok(parseId('delivery', newId('dlv')))
  assert.ok(parseId('event', newId('evt')))
  assert.equal(new Set(Array.from({ length: 1000 }, () => newId('dlv'))).size, 1000)
})

test('a response other than 2xx is a failure, and a redirect is not followed', async () => {
  const paths: (string | undefined)[] = []
  const { receiver: to, close } = await receiver(({ url }, response) => {
    paths.push(url)
    response.writeHead(paths.length === 1 ? 302 : 500, { location: '/elsewhere' }).end()
  })
  const [moved, broken] = [await forward(event, to), await forward(event, to)]
  close()
  assert.deepEqual([moved.status, broken.status], [302, 500])
  assert.match(moved.error ?? '', /redirect/)
  assert.ok(broken.error)
  assert.deepEqual(paths, ['/hook', '/hook'])
})

test('an unreachable receiver and a connection closed before a response are reported as failures', async () => {
  const { receiver: to, close } = await receiver((request) => void request.destroy())
  const cut = await forward(event, to)
  close()
  const away = await forward(event, to)
  assert.deepEqual([cut.status, away.status], [null, null])
  assert.match(away.error ?? '', /ECONNREFUSED/)
})

test('a receiver that does not respond within five seconds is a failure', async () => {
  const { receiver: to, close } = await receiver(() => undefined)
  const attempt = await forward(event, to)
  close()
  assert.match(attempt.error ?? '', /within 5 s/)
  assert.ok(attempt.ms >= 4_900, String(attempt.ms))
})

test('a response body that does not end is not waited for', async () => {
  const { receiver: to, close } = await receiver((_, response) => {
    response.writeHead(200).write('and so on')
  })
  const { status, error } = await forward(event, to)
  close()
  assert.deepEqual([status, error], [200, undefined])
})
