/** Creates the cluster on the first start: initdb in a temporary folder, then one rename. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../db/start-error.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { privateFolder } from './home.ts'

/** The superuser is for the supervisor alone; the service is an ordinary role. */
export const superuser = 'postgres'

export const programEnv = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }

/** The major version that made the cluster, or undefined where there is none yet. */
export function clusterMajor(data: string): number | undefined {
  const file = path.join(data, 'PG_VERSION')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined
}

/** Simultaneous starts may all do this. The first rename wins, and the others are deleted. */
export async function makeCluster(
  data: string,
  binaries: Binaries,
  account: Account | undefined,
  partial: string,
  flags: string[] = [],
): Promise<void> {
  privateFolder(partial, account)
  // The builtin provider sorts alike on every machine and in every version. It exists since 17.
  const locale =
    binaries.major >= 17
      ? ['--locale-provider=builtin', '--locale=C.UTF-8']
      : ['--locale-provider=libc', '--locale=C.UTF-8']
  const args = [
    ['-D', partial, '-U', superuser, '--encoding=UTF8', '--data-checksums'],
    // The permissions of the socket's folder protect the server, which listens on no network.
    ['--auth-local=trust', '--auth-host=reject'],
    [...locale, ...flags],
  ].flat()
  try {
    const options = { ...account, cwd: partial, env: programEnv }
    await promisify(execFile)(path.join(binaries.folder, 'initdb'), args, options)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    const { stderr, message } = error as Error & { stderr?: string }
    throw new StartError(
      `PostgreSQL could not make its data folder ${data}: ${(stderr || message).trim()}`,
    )
  }
  try {
    await rename(partial, data)
    await syncFolder(path.dirname(data))
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (clusterMajor(data) === undefined) throw error
  }
}

/** Without this a power cut could lose the rename and everything written since. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
