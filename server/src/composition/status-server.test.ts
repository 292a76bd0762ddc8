import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../tests/support/network/port.ts'
import { startService } from '../../../tests/support/processes/service.ts'

test('a worker reports its readiness and metrics on STATUS_PORT', async () => {
  const port = await freePort()
  const settings = { ROLE: 'worker', STATUS_PORT: String(port), STATUS_HOST: '127.0.0.1' }
  const service = await startService({ settings })
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  try {
    const ready = await ask('/readyz')
    assert.equal(ready.status, 200)
    assert.deepEqual(JSON.parse(ready.text).checks, { database: 'ok', workers: 'ok' })
    assert.match((await ask('/metrics')).text, /^crier_workers 1$/m)
    assert.equal((await ask('/healthz')).status, 200)
    assert.equal((await ask('/v1/businesses')).status, 404, 'nothing else is served there')
  } finally {
    await service.close()
  }
  await assert.rejects(ask('/healthz'), 'it ends with the service')
})
