/** Runs the server of a cluster for one process alone: every other one waits until it ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '../db/start-error.ts'
import { superuser } from '../postgres/cluster.ts'
import { dropStaleLocks } from '../postgres/locks.ts'
import { bePresent, type Presence, serviceDatabase, serviceRole } from '../postgres/presence.ts'
import { type Child, type Cluster, spawnServer, stopServer } from '../postgres/server.ts'

export interface AloneServer {
  connection: pg.ClientConfig
  superuser: pg.ClientConfig
  /** Stops the server. */
  leave(): Promise<void>
}

const patienceMs = 120_000

export async function openAlone(cluster: Cluster): Promise<AloneServer> {
  const presence = await present(cluster)
  if (!(await presence.leaveLast())) {
    await presence.close()
    throw new StartError(
      'Crier runs with this database. Stop the service and its commands first, and then upgrade.',
    )
  }
  let hasLeft = false
  const place = { host: cluster.run, application_name: 'crier upgrade' }
  return {
    connection: { ...place, user: serviceRole, database: serviceDatabase },
    superuser: { ...place, user: superuser, database: 'postgres' },
    async leave() {
      if (hasLeft) return
      hasLeft = true
      await stopServer(cluster.data)
      await presence.close().catch(() => {})
    },
  }
}

async function present(cluster: Cluster): Promise<Presence> {
  let child: Child | undefined
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(20)) {
    const presence = await bePresent(cluster.run)
    if (typeof presence === 'object') return presence
    if (presence === 'busy' || child?.running) continue
    if (child) break
    dropStaleLocks(cluster.data, cluster.run)
    child = spawnServer(cluster)
  }
  throw new StartError(`The database does not start. See ${cluster.log}.`)
}
