import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openTestbed } from '../../../tests/operations/support/testbed.ts'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { createLedger } from '../backups/ledger/keep-ledger.ts'
import { openLedger } from '../backups/ledger/open.ts'
import { sendingPause } from '../core/installation/sending.ts'
import { sql } from '../lib/db/db.ts'
import { systemClock } from '../lib/time/clock.ts'
import { backupCommands } from './backups.ts'

test('a database restored by its own tools is held: opt-outs of the ledger are reapplied and nothing is sent', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-hold-'))
  t.after(() => rm(folder, { recursive: true }))
  const testbed = await openTestbed()
  t.after(() => testbed.close())
  const { db, service } = testbed
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness('scale')] })
  await owner.get('contact.suppress', { email: 'leaver@example.com' })
  const ledgerTo = { kind: 'file', file: path.join(folder, 'ledger.jsonl') } as const
  const commands = backupCommands({
    db,
    clock: systemClock,
    config: { ...service.config, secret: 'a secret of the tests alone, long enough', ledgerTo },
  })
  await assert.rejects(commands.hold(), /Set LEDGER_TO/)
  await createLedger({
    db,
    hmac: service.vault.hmac,
    log: silentLog,
    store: openLedger(ledgerTo),
  }).catchUp()
  // The state of an older dump.
  await db.run(sql`delete from suppressions`)
  const told = await commands.hold()
  assert.equal(told['opt_outs_applied'], 1)
  assert.equal((await sendingPause(db))?.reason, 'restored')
  const { n } = await db.one<{ n: number }>(sql`select count(*)::int as n from suppressions`)
  assert.equal(n, 1)
})
