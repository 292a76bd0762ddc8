/**
 * A worker in a process of its own, for tests that kill it: each job takes a few
 * milliseconds and then, in one transaction, records itself and is settled.
 * Argument: the database's connection as JSON. Prints a line for each job begun.
 */

import { openDatabase } from 'crier-server/lib/db/db.ts'
import { createWorker } from 'crier-server/lib/jobs/worker.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { recordingKind, shortLeases, silent } from './jobs.ts'

const db = openDatabase({ connection: JSON.parse(process.argv[2] ?? '') })
const worker = createWorker({
  db,
  clock: systemClock,
  log: silent,
  kinds: { record: recordingKind(db, () => process.stdout.write('begun\n')) },
  slots: 8,
  pollMs: 20,
  times: shortLeases,
})
await worker.start()
