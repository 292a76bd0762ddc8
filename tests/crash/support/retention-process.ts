/**
 * A worker that does the nights of retention and what follows them, in a process of its own, to be
 * killed. Arguments: the database's connection as JSON. Prints a line once it works.
 */
import { contactJobs } from 'crier-server/contacts/erase.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import { createWorker } from 'crier-server/lib/jobs/worker.ts'
import { systemClock as clock } from 'crier-server/lib/time/clock.ts'
import { retentionJobs } from 'crier-server/retention/jobs.ts'
import { everyPersonalData as traces } from 'crier-server/worker.ts'
import { testVault } from '../../support/clients/calls.ts'
import { shortLeases } from '../../support/jobs/jobs.ts'
import { silentLog as log } from '../../support/silent-log.ts'

const db = openDatabase({ connection: JSON.parse(process.argv[2] ?? '') })
// The loop has begun the night itself, and waits until no job is left.
const {
  'retention.begin-nights': _begun,
  'test-mode.empty': _hourly,
  ...nights
} = retentionJobs({
  db,
  clock,
  hmac: testVault.hmac,
  historyMonths: null,
})
const kinds = { ...nights, ...contactJobs({ db, clock, traces }) }
const times = { ...shortLeases, jobLeaseMs: 1_500, shardLeaseMs: 1_500 }
const worker = createWorker({ db, clock, log, kinds, slots: 8, times, pollMs: 50 })
await worker.start()
process.stdout.write('ready\n')
