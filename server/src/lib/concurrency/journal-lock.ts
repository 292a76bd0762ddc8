/**
 * Records which process owns which journal files. A process that writes some holds a socket beside
 * them, which the kernel closes when it ends. A pid would not do: in containers every node may be
 * pid 1. A folder that another machine shares is refused, as its sockets cannot be checked.
 */
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../db/start-error.ts'

export interface JournalLock {
  /** The prefix of the names of this process's files. */
  readonly owner: string
  /** Whether the process that wrote this file has ended. */
  isDead(name: string): Promise<boolean>
  close(): Promise<void>
}

/** How often a process touches its lock file, for machines that cannot connect to its socket. */
const beatMs = 5_000
/** A lock file that was touched longer ago belongs to a machine that was switched off. */
const recentMs = 60_000
/** The same where the clock of a shared disk is compared with ours. */
const longAgoMs = 10 * recentMs
/** The time within which a living machine touches its lock file again. */
const watchMs = 2 * beatMs + 1_000

export interface LockTiming {
  beatMs: number
  watchMs: number
}

/** Throws a StartError where another machine writes to this folder. */
export async function lockJournal(
  folder: string,
  timing: LockTiming = { beatMs, watchMs },
): Promise<JournalLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const boot = bootId()
  await refuseOtherMachines(folder, boot, timing.watchMs)
  const owner = `${boot}.${randomUUID()}`
  const file = lockFile(folder, owner)
  const server = net.createServer((socket) => socket.destroy())
  await withShortPath(file, (short) => listen(server, short))
  server.unref()
  const beat = setInterval(() => {
    const at = new Date()
    utimes(file, at, at).catch(() => {})
  }, timing.beatMs)
  beat.unref()
  return {
    owner,
    async isDead(name) {
      const other = ownerOf(name)
      // The file is older than the locks, or its machine is gone: no other machine uses the folder.
      if (!other.startsWith(`${boot}.`)) return true
      return !(await withShortPath(lockFile(folder, other), answers))
    },
    async close() {
      clearInterval(beat)
      await new Promise((closed) => server.close(closed))
      await rm(file, { force: true })
    },
  }
}

/** Whether a process of this machine holds a lock in this folder. */
export async function isLocked(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if (!name.endsWith('.lock')) continue
    if (await withShortPath(path.join(folder, name), answers)) return true
  }
  return false
}

/** Who writes to this folder at this moment. Nothing is changed; a lock of another boot is watched. */
export async function writersOf(
  folder: string,
  watch = watchMs,
): Promise<'none' | 'this machine' | 'another machine'> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.lock'))
  const others = names.filter((name) => !name.startsWith(`${bootId()}.`))
  const moved = await Promise.all(
    others.map(async (name) => {
      const before = await touchedAt(path.join(folder, name))
      if (Date.now() - before > longAgoMs) return false
      await sleep(watch)
      return (await touchedAt(path.join(folder, name))) > before
    }),
  )
  if (moved.includes(true)) return 'another machine'
  return (await isLocked(folder)) ? 'this machine' : 'none'
}

const lockFile = (folder: string, owner: string) => path.join(folder, `${owner}.lock`)

/** The boot and the process, which are the first two parts of a file name. */
const ownerOf = (name: string) => name.split('.').slice(0, 2).join('.')

/** The id of this boot of this machine. On a shared disk no two machines have the same one. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    const startedMinute = Math.round((Date.now() / 1000 - os.uptime()) / 60)
    return createHash('sha256').update(`${os.hostname()} ${startedMinute}`).digest('hex')
  }
}

/** Checks locks of other boots: they are left from a crash of this machine or belong to another. */
async function refuseOtherMachines(folder: string, boot: string, watchMs: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.lock'))
  const others = names.filter((name) => !name.startsWith(`${boot}.`))
  if (others.length === 0) return
  // A shared disk stamps all files by one clock, whatever the clocks of the machines show.
  const probe = path.join(folder, `${randomUUID()}.probe`)
  await writeFile(probe, '')
  const now = (await stat(probe)).mtimeMs
  await rm(probe)
  for (const name of others) {
    const file = path.join(folder, name)
    const before = await touchedAt(file)
    if (now - before < recentMs) {
      await sleep(watchMs)
      if ((await touchedAt(file)) !== before) refuseShared(folder)
    }
    await rm(file, { force: true })
  }
}

async function touchedAt(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.mtimeMs ?? Number.NEGATIVE_INFINITY
}

function refuseShared(folder: string): never {
  throw new StartError(
    `Another machine writes to ${folder} at this moment. It holds what was sent and is not in the database yet, so each node needs one of its own: give this node another DATA_DIR, on a disk of its own that outlives its restart.`,
  )
}

function listen(server: net.Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(file, () => resolve())
  })
}

/** Whether the process runs: the socket of an ended process is missing or refuses connections. */
function answers(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(file, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT')
    })
  })
}

/** A socket path may have 107 bytes; Linux opens a longer one through its folder's descriptor. */
async function withShortPath<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  if (process.platform !== 'linux') return work(file)
  const folder = openSync(path.dirname(file), 'r')
  try {
    return await work(`/proc/self/fd/${folder}/${path.basename(file)}`)
  } finally {
    closeSync(folder)
  }
}
