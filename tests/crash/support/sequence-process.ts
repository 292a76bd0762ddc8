/**
 * A worker that fans out and runs sequences, in its own process, which a test kills. Arguments: the
 * database's connection as JSON, and a file with the milliseconds by which its clock is ahead. Prints
 * a line once it works.
 */
import { readFileSync } from 'node:fs'
import { eventJobs } from 'crier-server/events/jobs.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import type { TellWorker } from 'crier-server/lib/jobs/job.ts'
import { createWorker, type Worker } from 'crier-server/lib/jobs/worker.ts'
import { followSequences } from 'crier-server/sequences/enter.ts'
import { sequenceJobs } from 'crier-server/sequences/run.ts'
import { testSender, testTextSender } from '../../support/businesses/sequences.ts'
import { testVault } from '../../support/clients/calls.ts'
import { shortLeases, silent } from '../../support/jobs/jobs.ts'

const [connection = '', aheadFile = ''] = process.argv.slice(2)
// The database is killed too, and comes back.
const db = openDatabase({ connection: JSON.parse(connection), onIdleError: () => {} })
const clock = { now: () => new Date(Date.now() + Number(readFileSync(aheadFile, 'utf8'))) }
const { hmac } = testVault
const senders = { senderOf: async () => testSender }
const textSenders = { textSenderOf: async () => testTextSender }
const wake: TellWorker = (news) => worker.wake(news)
const worker: Worker = createWorker({
  db,
  clock,
  log: silent,
  kinds: {
    ...eventJobs({ db, clock, follow: followSequences({ hmac, tell: wake }) }),
    ...sequenceJobs({ db, clock, hmac, wake, senders, textSenders }),
  },
  slots: 8,
  pollMs: 20,
  times: shortLeases,
})
await worker.start()
process.stdout.write('ready\n')
