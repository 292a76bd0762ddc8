/** A writing operation through the whole service: entry point, engine, worker, feed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { operation } from 'crier-server/core/operation.ts'
import { emitAll } from 'crier-server/events/emit.ts'
import { Type } from 'typebox'
import { callTool, connect } from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { addNote, countNotes, makeNotes } from './notes.ts'

const noteAdd = operation({
  name: 'memo.add',
  title: 'Add a note',
  summary: 'For tests: writes a row and an event.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/memos',
  input: { text: Type.String({ maxLength: 100 }) },
  output: Type.Object({ text: Type.String(), at: Type.String() }),
  run({ write, business, now, origin }, { text }) {
    const data = { domain: text, verified_at: now.toISOString() }
    return write(async (tx) => {
      await emitAll(tx, [{ businessId: business.id, type: 'domain.verified', data, origin }], now)
      return addNote(tx, text, { text, at: now.toISOString() })
    })
  },
})

let service: Service
let token: string

before(async () => {
  service = await startService({ operations: [noteAdd] })
  await makeNotes(service.db)
  const scope = 'meta:read audience:write provisioning:write'
  token = (await connect(service.url, { scope })).tokens.access_token
})
after(() => service.close())

interface Result {
  isError?: boolean
  structuredContent: Record<string, unknown>
}

async function call(name: string, input: object): Promise<Result> {
  const answer = await callTool(service.url, token, `svc.v1.${name}`, input)
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { result: Result }).result
}

test('ten simultaneous calls with one idempotency key write one row and return one response', async () => {
  const input = { text: 'ten', idempotency_key: 'ten' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => call('memo.add', input)))
  for (const { structuredContent } of answers) {
    assert.deepEqual(structuredContent, answers[0]?.structuredContent)
  }
  assert.equal(await countNotes(service.db, 'ten'), 1)
})

test('an idempotency key of another call is refused with a fix that is ready to be sent', async () => {
  await call('memo.add', { text: 'mine', idempotency_key: 'used' })
  const { isError, structuredContent: body } = await call('memo.add', {
    text: 'other',
    idempotency_key: 'used',
  })
  assert.equal(isError, true)
  assert.deepEqual([body['code'], body['error']], ['conflict', 'conflict'])
  assert.equal(body['field'], 'idempotency_key')
  assert.match(String(body['message']), /"used"/)
  assert.match(String(body['request_id']), /^req_/)
  const fix = body['fix'] as { tool: string; arguments: object }
  assert.equal(fix.tool, 'svc.v1.memo.add')
  const mended = await call(fix.tool.replace('svc.v1.', ''), fix.arguments)
  assert.equal(mended.structuredContent['text'], 'other')
})

test('an idempotency key that is empty, too long or not printable is refused', async () => {
  for (const key of ['', 'k'.repeat(201), 'tab\there', 'é']) {
    const { structuredContent } = await call('memo.add', { text: 'x', idempotency_key: key })
    assert.equal(structuredContent['field'], 'idempotency_key')
  }
  const longest = await call('memo.add', { text: 'x', idempotency_key: 'k'.repeat(200) })
  assert.equal(longest.isError, undefined)
})

test('a written change appears in the feed, with the help of the worker', async () => {
  const { structuredContent: start } = await call('meta.changes', { limit: 200 })
  await call('memo.add', { text: 'fed' })
  let cursor = start['next_cursor']
  for (;;) {
    const { structuredContent: page } = await call('meta.changes', { cursor })
    const events = page['events'] as { type: string; data: { domain: string } }[]
    if (events.some(({ data }) => data.domain === 'fed')) break
    cursor = page['next_cursor']
    await sleep(20)
  }
})

test('a refusal over HTTP names the fixing tool by its full name', async () => {
  const only = await connect(service.url, { scope: 'meta:read' })
  const answer = await callTool(service.url, only.tokens.access_token, 'svc.v1.memo.add', {})
  assert.equal(answer.status, 403)
  const body = (await answer.json()) as { code: string; fix: { tool: string } }
  assert.deepEqual([body.code, body.fix.tool], ['scope_required', 'svc.v1.meta.capabilities'])
})
