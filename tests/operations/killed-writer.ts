/**
 * A process that writes with an idempotency key and is killed, as by kill -9, after the commit and
 * before its caller gets the answer. Arguments: connection, business, key.
 */

import type { Id } from 'crier-server/core/ids.ts'
import { createEngine } from 'crier-server/core/writes/unit-of-work.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { someOrigin } from '../support/businesses/business.ts'
import { addNote } from './notes.ts'

const [connection = '', businessId = '', key = ''] = process.argv.slice(2)
const engine = createEngine({
  db: openDatabase({ connection: JSON.parse(connection), poolSize: 2 }),
  clock: systemClock,
})

await engine
  .writingFor({
    businessId: businessId as Id<'business'>,
    operation: 'note.add',
    input: { text: 'killed', idempotency_key: key },
    origin: someOrigin(),
  })
  .write((tx) => {
    tx.afterCommit(() => process.kill(process.pid, 'SIGKILL'))
    return addNote(tx, 'killed', 'of the first process')
  })
process.stdout.write('answered')
