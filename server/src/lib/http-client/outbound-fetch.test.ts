import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { selfSigned } from '../../../../tests/support/mail/certificate.ts'
import {
  httpServer,
  httpsServer,
  type RemoteServer,
  rawServer,
} from '../../../../tests/support/network/remote-server.ts'
import type { OutboundFailure } from './outbound-failure.ts'
import { createOutbound, type OutboundAnswer, type OutboundOptions } from './outbound-fetch.ts'
import { createGuard, parseAllowRule, type Resolve } from './outbound-guard.ts'

const rules = [parseAllowRule('127.0.0.0/8:*') ?? assert.fail()]
const open: { close(): Promise<void> }[] = []
after(() => Promise.all(open.map((entry) => entry.close())))

async function far(end: Promise<RemoteServer>): Promise<RemoteServer> {
  const started = await end
  open.push(started)
  return started
}

const toLoopback: Resolve = async () => ['127.0.0.1']

function outbound(resolve: Resolve = toLoopback, options: Partial<OutboundOptions> = {}) {
  const guard = createGuard({ allowHttp: true, rules, resolve })
  const made = createOutbound({ guard, ...options })
  open.push(made)
  return made
}

function answered(result: OutboundAnswer | OutboundFailure): OutboundAnswer {
  if (result.outcome !== 'answered') assert.fail(`${result.reason} ${result.code}`)
  return result
}

function reason(result: OutboundAnswer | OutboundFailure): string {
  return result.outcome === 'failed' ? result.reason : `answered ${result.status}`
}

test('a response comes with its status, headers and body, and the request is sent as given', async () => {
  const server = await far(
    httpServer((request, response) => {
      response.writeHead(201, { 'x-seen': [request.method, request.headers['x-mine']].join(' ') })
      request.pipe(response)
    }),
  )
  const answer = answered(
    await outbound().fetch({
      url: `http://far.example:${server.port}/hook`,
      method: 'POST',
      headers: { 'x-mine': 'yes' },
      body: '{"a":1}',
    }),
  )
  assert.deepEqual(
    [answer.status, answer.headers['x-seen'], answer.body.toString(), answer.complete],
    [201, 'POST yes', '{"a":1}', true],
  )
})

test('the connection is reused for the next request, and its host name is resolved only once', async () => {
  let asked = 0
  const one = { connections: 1 }
  const server = await far(httpServer((_request, response) => response.end('ok')))
  const client = outbound(async () => {
    asked++
    return ['127.0.0.1']
  }, one)
  for (let i = 0; i < 5; i++) {
    answered(await client.fetch({ url: `http://far.example:${server.port}/` }))
  }
  assert.deepEqual([asked, server.connections], [1, 1])
})

test('a redirect is returned as the response and is not followed', async () => {
  const server = await far(
    httpServer((request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end(request.url)
    }),
  )
  const answer = answered(await outbound().fetch({ url: `http://far.example:${server.port}/here` }))
  assert.deepEqual([answer.status, answer.body.toString()], [302, '/here'])
})

test('a host name that resolves to an internal address is forbidden before anything is sent', async () => {
  const server = await far(httpServer((_request, response) => response.end('secret')))
  const guard = createGuard({ allowHttp: true, rules: [], resolve: toLoopback })
  const client = createOutbound({ guard })
  open.push(client)
  const result = await client.fetch({ url: `http://inside.example/` })
  assert.equal(reason(result), 'forbidden')
  assert.match((result as OutboundFailure).refusal?.message ?? '', /not public/)
  assert.equal(reason(await client.fetch({ url: 'http://127.1/' })), 'forbidden')
  assert.equal(reason(await client.fetch({ url: 'no url' })), 'forbidden')
  assert.equal(server.connections, 0)
})

test('a host name that resolves differently after the check gains no access to an internal address', async () => {
  const server = await far(httpServer((_request, response) => response.end('secret')))
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const rebinding: Resolve = async () => answers.shift() ?? assert.fail('asked a third time')
  const client = outbound(rebinding)
  // The address that was checked is also the one connected to...
  answered(await client.fetch({ url: `http://rebind.example:${server.port}/` }))
  await client.close()
  // ...and a new connection is checked again.
  const again = outbound(rebinding)
  const result = await again.fetch({ url: `http://rebind.example:${server.port}/` })
  assert.equal(reason(result), 'forbidden')
})

test('a server that accepts the connection and sends nothing takes up the deadline and no more', async () => {
  const server = await far(rawServer(() => {}))
  const start = performance.now()
  const result = await outbound().fetch({
    url: `http://far.example:${server.port}/`,
    deadlineMs: 150,
  })
  assert.equal(reason(result), 'timeout')
  // Well before the default timeout of 5 s.
  assert.ok(performance.now() - start < 4_500)
})

test('slowly dripping response headers do not extend the deadline', async () => {
  const server = await far(
    rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x: y\r\n'), 20)
      socket.once('close', () => clearInterval(drip))
    }),
  )
  const result = await outbound().fetch({
    url: `http://far.example:${server.port}/`,
    deadlineMs: 200,
  })
  assert.equal(reason(result), 'timeout')
})

test('a DNS resolver that hangs is cut off at the same deadline', async () => {
  const result = await outbound(() => new Promise(() => {})).fetch({
    url: 'http://far.example/',
    deadlineMs: 100,
  })
  assert.equal(reason(result), 'timeout')
})

test('a slowly dripping response body is cut off at the deadline, and the status is returned', async () => {
  const server = await far(
    httpServer((_request, response) => {
      const drip = setInterval(() => response.write('.'), 20)
      response.once('close', () => clearInterval(drip))
    }),
  )
  const answer = answered(
    await outbound().fetch({ url: `http://far.example:${server.port}/`, bodyMs: 150 }),
  )
  assert.deepEqual([answer.status, answer.complete], [200, false])
  assert.match(answer.body.toString(), /^\.+$/)
})

test('an endless response body is cut off at the size limit, and the connection is closed', async () => {
  let closed = false
  const server = await far(
    httpServer((_request, response) => {
      const more = () => {
        while (!closed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more).once('close', () => {
        closed = true
      })
      more()
    }),
  )
  const start = performance.now()
  const url = `http://far.example:${server.port}/`
  const answer = answered(await outbound().fetch({ url, maxBytes: 5_000, bodyMs: 20_000 }))
  assert.deepEqual([answer.body.length, answer.complete], [5_000, false])
  assert.ok(performance.now() - start < 10_000, 'cut by its size, not by its time')
  while (!closed) await new Promise((wake) => setTimeout(wake, 5))
})

test('a response body of exactly the size limit is returned whole', async () => {
  const server = await far(httpServer((_request, response) => response.end('x'.repeat(1_000))))
  const fetch = (maxBytes: number) =>
    outbound().fetch({ url: `http://far.example:${server.port}/`, maxBytes })
  assert.equal(answered(await fetch(1_000)).complete, true)
  assert.equal(answered(await fetch(999)).complete, false)
})

test('each kind of failure of the remote server is reported with its reason', async () => {
  const url = async (end: Promise<RemoteServer>) => `http://far.example:${(await far(end)).port}/`
  const closing = await url(rawServer((socket) => socket.destroy()))
  const midway = await url(rawServer((socket) => socket.end('HTTP/1.1 200 O')))
  const babble = await url(rawServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')))
  const bloated = await url(
    rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)),
  )
  const gone = await far(rawServer(() => {}))
  await gone.close()
  const client = outbound()
  assert.equal(reason(await client.fetch({ url: closing })), 'connection')
  assert.equal(reason(await client.fetch({ url: midway })), 'connection')
  assert.equal(reason(await client.fetch({ url: babble })), 'protocol')
  assert.equal(reason(await client.fetch({ url: bloated })), 'protocol')
  const refused = await client.fetch({ url: `http://far.example:${gone.port}/` })
  assert.deepEqual(refused, { outcome: 'failed', reason: 'connection', code: 'ECONNREFUSED' })
  const unknown = outbound(() =>
    Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
  )
  assert.equal(reason(await unknown.fetch({ url: 'http://typo.example/' })), 'dns')
})

test('a request header that cannot be sent is our own fault and throws', async () => {
  const wrong = outbound().fetch({ url: 'http://far.example/', headers: { 'bad name': 'x' } })
  await assert.rejects(wrong, /invalid/)
})

test('the TLS certificate is verified by its authority and by its name', async () => {
  const identity = selfSigned('secure.example')
  const server = await far(httpsServer(identity, (_request, response) => response.end('sealed')))
  const url = (host: string) => `https://${host}:${server.port}/`
  const stranger = await outbound().fetch({ url: url('secure.example') })
  assert.deepEqual(
    [reason(stranger), (stranger as OutboundFailure).code],
    ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  )
  const trusting = outbound(toLoopback, { ca: identity.cert })
  const answer = answered(await trusting.fetch({ url: url('secure.example') }))
  assert.equal(answer.body.toString(), 'sealed')
  assert.equal(reason(await trusting.fetch({ url: url('other.example') })), 'tls')
})

test('a hundred simultaneous requests to one origin share a few connections', async () => {
  const server = await far(httpServer((_request, response) => response.end('ok')))
  const client = outbound(toLoopback, { connections: 4 })
  const url = `http://far.example:${server.port}/`
  const all = await Promise.all(Array.from({ length: 100 }, () => client.fetch({ url })))
  assert.ok(all.every((result) => result.outcome === 'answered'))
  assert.ok(server.connections <= 4, String(server.connections))
})
