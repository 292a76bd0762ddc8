import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../core/errors.ts'
import type { Log } from '../lib/process/log.ts'
import { createServer } from './server.ts'

interface Line {
  level: string
  event: string
  fields: Record<string, unknown>
}

function keeping(debug: boolean) {
  const lines: Line[] = []
  const keep = (level: string) => (fields: object, event: string) => {
    lines.push({ level, event, fields: fields as Record<string, unknown> })
  }
  const log = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    isLevelEnabled: (level: string) => level !== 'debug' || debug,
  } as unknown as Log
  return { lines, log }
}

async function logAfterRequests(debug: boolean, accessLog?: boolean) {
  const { lines, log } = keeping(debug)
  const server = createServer({
    log,
    bodyLimit: 1000,
    trustProxy: false,
    https: false,
    ...(accessLog !== undefined && { accessLog }),
  })
  server.get('/good/:id', async () => ({}))
  server.get('/refused/:id', async () => {
    throw refuse('not_found', 'Gone.')
  })
  server.get('/broken/:id', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    throw new Error('boom')
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const ids = []
  for (const path of ['good', 'refused', 'broken']) {
    const answer = await fetch(`${url}/${path}/secret?token=secret`)
    ids.push(answer.headers.get('x-request-id'))
    await answer.arrayBuffer()
  }
  await server.close()
  return { ids, lines: lines.filter(({ event }) => event !== 'http.error') }
}

test('refused and failed requests are logged with their route, request id and duration', async () => {
  const { ids, lines } = await logAfterRequests(false)
  const untimed = lines.map(({ level, event, fields }) => [level, event, { ...fields, ms: 0 }])
  const [, refused, broken] = ids
  const facts = { method: 'GET', ms: 0 }
  assert.deepEqual(untimed, [
    ['info', 'http.refused', { ...facts, request_id: refused, route: '/refused/:id', status: 404 }],
    ['error', 'http.failed', { ...facts, request_id: broken, route: '/broken/:id', status: 500 }],
  ])
  const ms = lines[1]?.fields['ms'] as number
  assert.ok(ms >= 19 && ms < 5000, `${ms}`)
  assert.ok(!JSON.stringify(lines).includes('secret'))
})

test('successful requests are logged at debug level', async () => {
  const { lines } = await logAfterRequests(true)
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['http.answered', 'http.refused', 'http.failed'],
  )
})

test('with an access log successful requests are lines of the level info', async () => {
  const { ids, lines } = await logAfterRequests(false, true)
  const [answered] = lines
  assert.equal(answered?.level, 'info')
  assert.deepEqual(
    { ...answered?.fields, ms: 0 },
    { request_id: ids[0], method: 'GET', route: '/good/:id', status: 200, ms: 0 },
  )
  assert.ok(!JSON.stringify(lines).includes('secret'))
})
