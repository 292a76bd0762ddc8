/** Checks the machine: Node, a writable data folder, a protected secret. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { nearestFolder } from '../checks/check-folders.ts'
import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import { refuseSecretOfOneMachine } from '../config/installation-secret.ts'
import type { Config } from '../config.ts'

const oldestNode = 24

export function nodeFinding(version: string): Finding {
  if (Number.parseInt(version, 10) >= oldestNode) return ok('node', version)
  return fail('node', `${version} is too old`, `Use Node ${oldestNode}; "npx crier" includes it.`)
}

/** Node's own default on every machine (libuv). */
const poolSize = 4

/**
 * Mail is signed in the thread pool, one signature per core at a time. Node reads the pool's size
 * before our code runs, so only the environment can set it.
 */
export function threadPoolFinding(cores: number, size: string | undefined): Finding {
  const threads = Number(size) || poolSize
  if (threads >= cores) return ok('thread pool', `${threads} threads for ${cores} cores`)
  return warn(
    'thread pool',
    `${threads} threads sign mail on ${cores} cores`,
    `Set UV_THREADPOOL_SIZE=${cores} in the environment that starts the service.`,
  )
}

export function dataDirFinding(dataDir: string): Finding {
  const exists = existsSync(dataDir)
  const folder = exists ? dataDir : nearestFolder(dataDir)
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const mend = 'Make it writable for this user, or set DATA_DIR to a folder that is.'
    return fail('data folder', `${folder} cannot be written`, mend)
  }
  if (!exists) return ok('data folder', `${dataDir}, made on the first start`)
  // The group may enter, as the database's user does under root. A start tightens our own files.
  const mode = statSync(dataDir).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o067) === 0) return ok('data folder', dataDir)
  return warn(
    'data folder',
    `${dataDir} has mode ${mode.toString(8)}, so others on this machine can enter it`,
    'Start the service, which restricts a folder of its own; or set DATA_DIR to a folder used for nothing else.',
  )
}

export function secretFinding(config: Pick<Config, 'secret' | 'dataDir' | 'databaseUrl'>): Finding {
  const { secret, dataDir } = config
  if (secret !== undefined) return ok('secret', 'from CRIER_SECRET')
  try {
    refuseSecretOfOneMachine(config)
  } catch (error) {
    return fail('secret', 'each node would make its own', (error as Error).message)
  }
  const file = path.join(dataDir, 'secret')
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return ok('secret', `made in ${file} on the first start`)
  if (stats.size === 0) {
    return fail(
      'secret',
      `${file} is empty`,
      'Restore it from a backup: without it encrypted data cannot be read.',
    )
  }
  const mode = stats.mode & 0o777
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    return fail(
      'secret',
      `${file} has mode ${mode.toString(8)}, so others can read it`,
      `chmod 600 ${file}`,
    )
  }
  return ok('secret', `${file}, readable only by its owner`)
}
