/** A testbed whose service is a separate process, as an operator starts it, and can be killed. */
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { installationSecret } from 'crier-server/lib/crypto/vault.ts'
import { migratedDataDir } from '../../crash/support/data-dir.ts'
import { startService } from '../../crash/support/service-process.ts'
import { freePort } from '../../support/network/port.ts'
import { type Testbed, testbedAt } from './testbed.ts'

export interface KillableTestbed extends Testbed {
  port: number
  endpointAt(port: number): string
  /** kill -9; the database keeps running. */
  kill(): Promise<void>
  startAgain(): Promise<void>
  close(): Promise<void>
}

/** Without a worker, so that only calls change anything. */
const serve = [process.execPath, 'cli/bin.mjs', 'serve', '--role', 'api']

export async function openKillableTestbed(): Promise<KillableTestbed> {
  const dataDir = await migratedDataDir()
  const port = await freePort()
  const start = () =>
    startService({ dataDir: dataDir.path, port, command: serve, readyPath: '/healthz' })
  let service = await start()
  const db = await dataDir.open()
  const config = readConfig({ PORT: String(port), DATA_DIR: dataDir.path })
  const vault = await openVault(db, installationSecret(dataDir.path), new Date())
  const endpointAt = (at: number) => `http://localhost:${at}/api/functions/svc-mcp`
  return {
    ...testbedAt({ db, vault, config, endpoint: endpointAt(port) }),
    port,
    endpointAt,
    kill: () => service.kill(),
    async startAgain() {
      service = await start()
    },
    async close() {
      await db.end()
      await service.stop()
      await dataDir.remove()
    },
  }
}
