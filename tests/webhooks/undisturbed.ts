/**
 * The healthy receiver alone, in a thread, a database and a worker of its own: what the machine
 * makes of it at that moment, whoever else uses it. Says when it is ready, begins when it is
 * told to, and says its latencies.
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
