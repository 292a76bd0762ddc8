/** Traces, received by a collector of the test: OTLP as JSON over HTTP. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createLog } from 'crier-server/lib/process/log.ts'
import { toldExporter } from 'crier-server/traces/told-exporter.ts'
import { openTestbed } from '../operations/support/testbed.ts'
import { toolCall } from '../support/clients/tool-caller.ts'
import { webhookReceiver } from '../support/network/webhook-receiver.ts'
import { until } from '../support/time/eventually.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string } }[]
}

/** Keeps every span that is sent to it. */
async function startCollector() {
  const bodies: string[] = []
  const authorizations = new Set<string | undefined>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      authorizations.add(request.headers.authorization)
      if (request.url === '/otlp/v1/traces') bodies.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`,
    authorizations,
    raw: () => bodies.join('\n'),
    spans: (): Span[] =>
      bodies.flatMap((body) =>
        (
          JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
        ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('a trace leads from the request over its statements to the webhook, and names nobody', async (t) => {
  const collector = await startCollector()
  t.after(() => collector.close())
  let secret = ''
  const receiver = await webhookReceiver(() => secret)
  t.after(() => receiver.close())
  const testbed = await openTestbed({
    settings: {
      SENDER_GATE: 'off',
      OUTBOUND_ALLOW: '127.0.0.0/8:*',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    },
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await testbed.close()
    isOpen = false
  }
  t.after(close)
  const { owner } = await testbed.someone('scale')
  const hook = { url: receiver.url, events: ['contact.created'] }
  secret = (await owner.get<{ signing_secret: string }>('webhook.save', hook)).signing_secret

  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'
  const email = 'ana.traced@example.com'
  const headers = { traceparent: `00-${traceId}-${parent}-01` }
  const answer = await owner.send(toolCall('contact.upsert', { email, name: 'Ana' }), headers)
  assert.equal(answer.kind, 'answer')
  const mail = { to: email, subject: 'A subject', text: 'A body that stays here.' }
  await owner.get('email.send', mail)
  await until(() => receiver.received.length === 1, 'the webhook')
  const named = (name: string) => collector.spans().filter((span) => span.name === name)
  await until(() => named('send email').length === 1, 'the span of the mail')
  await close()

  const [call, ...others] = named('call contact.upsert')
  assert.ok(call)
  assert.deepEqual(others, [])
  assert.deepEqual([call.traceId, call.parentSpanId], [traceId, parent])
  const below = collector.spans().filter(({ parentSpanId }) => parentSpanId === call.spanId)
  assert.ok(below.some(({ name }) => name.startsWith('statement ')))
  assert.ok(below.every((span) => span.traceId === traceId))
  const [delivery] = named('delivery contact.created')
  assert.deepEqual([delivery?.traceId, delivery?.parentSpanId], [traceId, call.spanId])
  const sent = receiver.received[0]?.headers['traceparent']
  assert.equal(sent, `00-${traceId}-${delivery?.spanId}-01`)
  const results = [call, delivery].map((span) =>
    span?.attributes.find(({ key }) => key === 'crier.result'),
  )
  assert.deepEqual(
    results.map((result) => result?.value.stringValue),
    ['ok', 'delivered'],
  )

  assert.deepEqual([...collector.authorizations], ['Bearer of-the-collector'])
  assert.ok(collector.raw().includes('insert into contacts'))
  for (const word of ['ana.traced', 'Ana', 'A subject', 'stays here', secret, '127.0.0.1']) {
    assert.ok(!collector.raw().includes(word), `${word} is in a span`)
  }
})

test('a collector that is away is told once, and once when it is back', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const failed = new Error('connect ECONNREFUSED of a collector')
  const results = [failed, failed, undefined, undefined, failed]
  const exporter = toldExporter(
    {
      export: (_, done) => {
        const error = results.shift()
        done(error ? { code: 1, error } : { code: 0 })
      },
      shutdown: async () => {},
    },
    log,
  )
  for (let left = results.length; left > 0; left--) exporter.export([], () => {})
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    ['traces.not_sent', 'traces.sent_again', 'traces.not_sent'],
  )
})

test('a collector that is away delays no call', async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const testbed = await openTestbed({ settings })
  const { owner } = await testbed.someone('scale')
  const began = performance.now()
  for (let i = 0; i < 20; i++) await owner.get('business.list', {})
  assert.ok(performance.now() - began < 20_000)
  await testbed.close()
})
