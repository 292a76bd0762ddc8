/**
 * Fans out and delivers, with the real parts and nothing else in the process. Its argument is the
 * database's connection as JSON. Commands on stdin start it and request its memory usage.
 */
import { createInterface } from 'node:readline'
import { limits } from '../../server/src/config.ts'
import { openDatabase } from '../../server/src/lib/db/db.ts'
import type { Worker } from '../../server/src/lib/jobs/worker.ts'
import { systemClock } from '../../server/src/lib/time/clock.ts'
import { deliveryTestbed, deliveryWorker } from '../../tests/support/businesses/deliveries.ts'

const db = openDatabase({ connection: JSON.parse(process.argv[2] ?? ''), poolSize: 10 })
const testbed = await deliveryTestbed(db, systemClock)
const say = (line: string) => process.stdout.write(`${line}\n`)

let worker: Worker | undefined

say('ready')
for await (const word of createInterface({ input: process.stdin })) {
  if (word === 'go') {
    worker = await deliveryWorker(testbed, { pollMs: 50, slots: limits.jobSlots })
    say('gone')
  }
  if (word === 'memory') say(String(process.memoryUsage().rss / 1e6))
}
// Releases its shards: the next worker would wait until their leases end.
await worker?.stop()
process.exit(0)
