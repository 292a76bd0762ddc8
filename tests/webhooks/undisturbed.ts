/**
 * The healthy receiver alone, in its own thread, database and worker: its latencies under the
 * machine's load at that moment. Reports when it is ready, begins when it is told to, and returns
 * its latencies.
 */
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { deliveryTestbed } from '../support/businesses/deliveries.ts'
import { testDatabase } from '../support/postgres/database.ts'
import { latenciesIn } from './healthy-receiver.ts'
import { theirAddress } from './hostile-receivers.ts'

if (!parentPort) throw new Error('runs as a thread')
const database = await testDatabase()
const testbed = await deliveryTestbed(database.db, systemClock, {
  allow: [`${theirAddress}/32:*`],
  resolve: async () => [theirAddress],
})
parentPort.postMessage('ready')
await once(parentPort, 'message')
parentPort.postMessage(await latenciesIn(testbed))
await testbed.close()
await database.drop()
parentPort.close()
