/**
 * A separate process that opens the database, as a service or a command does: `node
 * postgres-child.ts DATA_DIR`. Prints its connection as a line of JSON, and exits when its input
 * ends.
 */
import { once } from 'node:events'
import { openPostgres } from 'crier-server/lib/postgres/open.ts'
import { silentLog } from '../silent-log.ts'

const dataDir = process.argv[2] ?? ''
const postgres = await openPostgres({ dataDir, databaseUrl: undefined, log: silentLog })
process.stdout.write(`${JSON.stringify(postgres.connection)}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await postgres.stop()
