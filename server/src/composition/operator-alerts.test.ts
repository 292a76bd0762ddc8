import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../tests/support/processes/service.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { sql } from '../lib/db/db.ts'
import { figureReader } from './figures.ts'
import { troublesOf } from './operator-alerts.ts'

const fine = {
  workers: 1,
  oldestSeconds: { 'event.fanout': 600 },
  dead: {},
  isSendingPaused: false,
  backupAgeSeconds: 36 * 3600,
  diskFreeBytes: 2e9,
  partitionsAhead: {},
}

test('the operator is alerted from each threshold on, and not below it', () => {
  const keys = (more: object) => troublesOf({ ...fine, ...more }).map(({ key }) => key)
  assert.deepEqual(keys({}), [])
  assert.deepEqual(keys({ backupAgeSeconds: undefined }), [])
  assert.deepEqual(keys({ oldestSeconds: { 'event.fanout': 601 } }), ['queue'])
  assert.deepEqual(keys({ oldestSeconds: { a: 9_000 }, isSendingPaused: true }), [])
  assert.deepEqual(keys({ dead: { 'webhook.deliver': 3 } }), ['dead'])
  assert.deepEqual(keys({ backupAgeSeconds: 36 * 3600 + 1 }), ['backup'])
  const none = { backupAgeSeconds: undefined }
  assert.deepEqual(keys({ ...none, withoutBackupSeconds: 36 * 3600 }), [])
  assert.deepEqual(keys({ ...none, withoutBackupSeconds: 36 * 3600 + 1 }), ['backup'])
  assert.deepEqual(keys({ backupsFailed: 0 }), [])
  assert.deepEqual(keys({ backupsFailed: 1 }), ['backup-failed'])
  assert.deepEqual(keys({ archiveBehindSeconds: 900 }), [])
  assert.deepEqual(keys({ archiveBehindSeconds: 901 }), ['archive'])
  assert.deepEqual(keys({ diskFreeBytes: 2e9 - 1 }), ['disk'])
})

test('dead jobs are mailed to the operator once a day, and a backup that was never made is noticed', async () => {
  const service = await startService({ settings: { OPERATOR_EMAIL: 'ops@example.com' } })
  const { db } = service
  const check = () =>
    db.run(sql`update jobs set due_at = now() - interval '1 s' where kind = 'operator.check'`)
  const mails = () =>
    db.all<{ text: string }>(sql`
      select body_text as text from inbox_messages where recipient = 'ops@example.com'
    `)
  try {
    await db.run(sql`
      insert into jobs (shard, lane, id, kind, payload, due_at, created_at, parked_at, fault)
      select shard, lane, gen_random_uuid(), 'webhook.deliver', 'null', now(), now(), now(), 'poison'
      from jobs where kind = 'operator.check'
    `)
    await check()
    const [mail] = await eventually(mails, (all) => all.length > 0, 20_000)
    assert.match(mail?.text ?? '', /1 of webhook\.deliver/)
    assert.match(mail?.text ?? '', /crier jobs release/)
    await check()
    await eventually(
      () =>
        db.one<{ n: number }>(sql`
        select count(*)::int as n from jobs where kind = 'operator.check' and due_at > now()
      `),
      ({ n }) => n === 1,
    )
    assert.equal((await mails()).length, 1)

    const clock = new ManualClock()
    const backupTo = { kind: 'folder', folder: '/nowhere' } as const
    const settings = { dataDir: '/', backupTo }
    const readerOf = (more: object) =>
      figureReader({ config: settings, db, clock, backup: {}, ...more } as never)
    const [own, others, none] = [
      readerOf({}),
      readerOf({ backup: undefined }),
      readerOf({ config: { dataDir: '/', backupTo: undefined } }),
    ]
    clock.forward(1_000)
    assert.equal((await own()).withoutBackupSeconds, 1, 'no backup ever got to BACKUP_TO')
    assert.equal((await others()).withoutBackupSeconds, undefined, 'DATABASE_URL is set')
    assert.equal((await none()).withoutBackupSeconds, undefined, 'none is asked for')
  } finally {
    await service.close()
  }
})
