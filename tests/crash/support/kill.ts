/** The ways to kill: always -9, so that nothing can be cleaned up first. */
import type { DataDir } from './data-dir.ts'
import { childrenOf } from './process-tree.ts'
import type { Random } from './random.ts'
import type { ServiceProcess } from './service-process.ts'

export const kinds = ['service', 'database', 'postmaster', 'backend', 'both'] as const
export type Kind = (typeof kinds)[number]

/** The processes that each kind kills, for the table. */
export const victims: Record<Kind, string> = {
  service: 'the service; the database lives on',
  database: 'all processes of the database; the service lives on',
  postmaster: "the database's first process alone",
  backend: 'one process of the database that serves a connection',
  both: 'the service and all processes of the database',
}

export async function strike(
  kind: Kind,
  target: { service: Pick<ServiceProcess, 'kill'>; dataDir: DataDir; random: Random },
): Promise<void> {
  const { service, dataDir, random } = target
  if (kind === 'service') return service.kill()
  const postmaster = await dataDir.postmaster()
  const children = await childrenOf(postmaster)
  if (children.length === 0) throw new Error('the database has no processes to kill')
  switch (kind) {
    case 'postmaster':
      return die(postmaster)
    case 'backend':
      return die(random.shuffled(children)[0] ?? postmaster)
    case 'database':
    case 'both':
      for (const pid of [postmaster, ...children]) die(pid)
      if (kind === 'both') await service.kill()
  }
}

function die(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // A backend may have exited since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
