/**
 * A worker that fans out and delivers, in its own process, which a test kills. Arguments: the
 * database's connection as JSON. Prints a line once it works.
 */

import { openDatabase } from 'crier-server/lib/db/db.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { deliveryTestbed, deliveryWorker } from '../../support/businesses/deliveries.ts'
import { shortLeases } from '../../support/jobs/jobs.ts'

const db = openDatabase({ connection: JSON.parse(process.argv[2] ?? '') })
const testbed = await deliveryTestbed(db, systemClock)
await deliveryWorker(testbed, { times: shortLeases, pollMs: 50 })
process.stdout.write('ready\n')
