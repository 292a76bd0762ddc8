/** Makes the cluster on the first start: initdb in a folder aside, then one rename. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../db/start-error.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { privateFolder } from './home.ts'

/** The superuser, for the supervisor alone; the service is an ordinary role. */
export const superuser = 'postgres'

export const programEnv = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }

/** The major version that made the cluster, or undefined where there is none yet. */
export function clusterMajor(data: string): number | undefined {
  const file = path.join(data, 'PG_VERSION')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined
}

/** Several starts may do this at once: the first rename wins, the others' work is thrown away. */
export async function makeCluster(
  data: string,
  binaries: Binaries,
  account: Account | undefined,
  partial: string,
  flags: string[] = [],
): Promise<void> {
  privateFolder(partial, account)
  // The builtin provider sorts alike on every machine and in every version; it came with 17.
  const locale =
    binaries.major >= 17
      ? ['--locale-provider=builtin', '--locale=C.UTF-8']
      : ['--locale-provider=libc', '--locale=C.UTF-8']
  const args = [
    ['-D', partial, '-U', superuser, '--encoding=UTF8', '--data-checksums'],
    // Who may enter the socket's folder is the guard; nothing listens on a network.
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

/** Without this a power cut could forget the rename, and all that was written since. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
