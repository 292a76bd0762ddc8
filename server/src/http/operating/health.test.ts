import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../tests/support/processes/service.ts'
import { openDatabase, sql } from '../../lib/db/db.ts'
import { later, minutes, systemClock } from '../../lib/time/clock.ts'
import { commonChecks } from './health.ts'

test('a service with a worker is ready, and without one it names the command that starts it', async () => {
  const service = await startService({ idle: true })
  try {
    const readiness = async () => {
      const answer = await fetch(`${service.url}/readyz`)
      const { checks } = (await answer.json()) as { checks: Record<string, string> }
      return { status: answer.status, checks }
    }
    const before = await readiness()
    assert.equal(before.status, 503)
    assert.equal(before.checks['database'], 'ok')
    assert.match(before.checks['workers'] ?? '', /crier serve --role worker/)

    await service.app.start()
    const after = await readiness()
    assert.deepEqual(after, { status: 200, checks: { database: 'ok', workers: 'ok' } })
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
  } finally {
    await service.close()
  }
})

test('a service without its database is not ready, but still alive', async () => {
  const service = await startService({ idle: true })
  await service.db.end()
  const answer = await fetch(`${service.url}/readyz`)
  assert.equal(answer.status, 503)
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
  await service.app.server.close()
})

test('no table of businesses is read, since a node of a cluster that is away makes nothing unready', async () => {
  const service = await startService({ idle: true })
  await service.db.run(sql`
    insert into job_workers (id, expires_at)
    values (gen_random_uuid(), ${later(new Date(), minutes(1))})
  `)
  await service.db.run(sql`alter table lanes rename to unreachable_lanes`)
  await service.db.run(sql`alter table jobs rename to unreachable_jobs`)
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  await service.close()
})

test('a known outage is told even if a try of the database hangs', async () => {
  const db = openDatabase({ connection: {} })
  const watch = {
    check: () => new Promise<undefined>(() => {}),
    current: () => ({ outage: 'disk_full' as const, ms: 5 }),
  }
  const checks = commonChecks({ db, clock: systemClock, role: 'api', watch })
  assert.match((await checks['database']?.()) ?? '', /^has no disk space left\. Free up/)
  await db.end()
})

test('an api node is ready without a worker, since workers may run elsewhere', async () => {
  const service = await startService({ idle: true, settings: { ROLE: 'api' } })
  const answer = await fetch(`${service.url}/readyz`)
  assert.deepEqual(
    [answer.status, await answer.json()],
    [200, { status: 'ready', checks: { database: 'ok' } }],
  )
  await service.close()
})

test('a node that leaves is not ready, serves on, and ends each connection with its answer', async () => {
  const service = await startService({ settings: { ROLE: 'api' } })
  const ask = (path: string) => fetch(`${service.url}${path}`)
  assert.equal((await ask('/healthz')).headers.get('connection'), 'keep-alive')
  service.app.leave()
  const ready = await ask('/readyz')
  assert.deepEqual([ready.status, await ready.json()], [503, { status: 'stopping', checks: {} }])
  const alive = await ask('/healthz')
  assert.deepEqual([alive.status, alive.headers.get('connection')], [200, 'close'])
  await service.close()
})
