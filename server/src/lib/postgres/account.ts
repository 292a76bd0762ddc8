/**
 * Determines the user that runs the database. PostgreSQL refuses to run as root, and initdb refuses
 * a uid that has no name on the machine. So when root starts the service, the database gets its own
 * system user. Any other user runs the database itself.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Account {
  uid: number
  gid: number
}

const userName = 'crier'

/**
 * The account to run as, or undefined for the current user. An existing cluster keeps its owner,
 * whichever account would be chosen today, because PostgreSQL refuses another user's cluster.
 */
export async function databaseAccount(dataFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  return ownerOf(dataFolder) ?? (await systemUser()) ?? userNamed('nobody')
}

export function ownerOf(folder: string): Account | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat && { uid: stat.uid, gid: stat.gid }
}

async function systemUser(): Promise<Account | undefined> {
  // Simultaneous starts compete for the lock on /etc/passwd. The loser looks again.
  for (let attempt = 0; attempt < 20; attempt++) {
    const account = userNamed(userName)
    if (account) return account
    try {
      makeUser()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      await sleep(100)
    }
  }
  return undefined
}

function makeUser(): void {
  const args = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', userName]
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` }
  execFileSync('useradd', args, { stdio: 'ignore', env })
}

function userNamed(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/** The nearest folder, from `folder` upwards, that the account may not pass through. */
export function closedTo(account: Account, folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const { uid, gid, mode } = statSync(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if (!(mode & bit)) return at
    if (at === path.dirname(at)) return undefined
  }
}
