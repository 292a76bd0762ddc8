/** The bare statement, sent by PostgreSQL's own load generator over the same socket. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connections } from '../../load/drive.ts'
import { sizes } from '../../support/sizes.ts'
import { runTool } from './debian-tools.ts'
import type { Place } from './place.ts'

/** Transactions per second: prepared statements, as many clients as the service has. */
export async function pgbench(place: Place, script: string, seconds: number): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-pgbench-'))
  try {
    const file = path.join(folder, 'script.sql')
    await writeFile(file, script)
    const { transactionsEach } = sizes.pgbench
    // It can end without a transaction within its second on a busy machine.
    const end = transactionsEach > 0 ? `--transactions=${transactionsEach}` : `--time=${seconds}`
    const load = ['--client', String(connections), '--jobs', '2', end]
    const how = ['--no-vacuum', '--protocol', 'prepared', '--file', file]
    const where = ['--host', place.host, '--username', place.user, place.database]
    const said = await runTool('pgbench', [...how, ...load, ...where])
    const failed = Number(/failed transactions: (\d+)/.exec(said)?.[1])
    const rate = Number(/^tps = ([\d.]+)/m.exec(said)?.[1])
    if (failed !== 0 || !(rate > 0)) throw new Error(`pgbench gave no clean figure: ${said}`)
    return rate
  } finally {
    await rm(folder, { recursive: true })
  }
}
