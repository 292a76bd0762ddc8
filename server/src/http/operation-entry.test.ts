import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../core/errors.ts'
import type { Log } from '../lib/process/log.ts'
import { type EntryDeps, guardEntry } from './operation-entry.ts'
import { createServer } from './server.ts'

/** An entry point with one route that fails in this way: its answer, and what was logged of it. */
async function failing(fault: Error) {
  const events: string[] = []
  const keep = (_fields: object, event: string) => void events.push(event)
  const log = { debug: keep, info: keep, warn: keep, error: keep } as unknown as Log
  const server = createServer({ log, bodyLimit: 1000, trustProxy: false, https: false })
  server.register(async (scope) => {
    const deps = {
      slug: 'svc',
      metadataUrl: () => '',
      allowsOrigin: () => true,
      admit: async () => ({ principal: { scopes: [] } }),
    } as unknown as EntryDeps
    guardEntry(scope, deps, { methods: 'GET', headers: [] })
    scope.get('/call', async () => {
      throw fault
    })
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const answer = await fetch(`${url}/call`)
  const body = (await answer.json()) as { code: string; fix?: { tool: string } }
  await server.close()
  return { status: answer.status, body, isLogged: events.includes('http.error') }
}

test('an outage that was foreseen names the call that mends it, and is logged without a stack', async () => {
  const fix = { tool: 'campaign.generate', arguments: {} }
  const busy = await failing(refuse('unavailable', 'The model is busy.', { fix }))
  assert.deepEqual(
    [busy.status, busy.body.fix?.tool, busy.isLogged],
    [503, 'svc.v1.campaign.generate', false],
  )
})

test('what fails unforeseen is logged with its error, and told as a fault of the service', async () => {
  const broken = await failing(new Error('boom'))
  assert.deepEqual([broken.status, broken.body.code, broken.isLogged], [500, 'internal', true])
})
