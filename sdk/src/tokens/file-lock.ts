/**
 * A lock between processes that survives the death of its holder at any moment. Each holder creates
 * the next in a sequence of files, `name.lock.1`, `name.lock.2`, …, of which the highest is the
 * lock. It is free when its holder wrote "free" into it, died, or held it longer than any correct
 * holder could. Creating the next number is exclusive, so of many processes that see a free lock
 * one wins. Only lower numbers are ever removed. The usual remedy, unlinking a stale lock file, can
 * hit a fresh one that another process has just created.
 */
import { mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { CrierError } from '../errors/error.ts'
import { isMissing } from './private-file.ts'

/** The longest time for one holder. A token refresh ends by its own deadline long before. */
const longestHold = 60_000
/** A lock file that is still empty belongs to a process that is about to sign it. */
const longestSigning = 2_000
const longestWait = 90_000
const free = 'free'

/** Runs `work` while no other process holds the lock of this name (a path). */
export async function withFileLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const release = await acquire(name)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function acquire(name: string): Promise<() => Promise<void>> {
  await mkdir(path.dirname(name), { recursive: true, mode: 0o700 })
  const giveUpAt = Date.now() + longestWait
  for (;;) {
    const highest = (await generations(name)).at(-1) ?? 0
    if (highest === 0 || (await isFree(fileOf(name, highest)))) {
      const release = await take(name, highest + 1)
      if (release) return release
    }
    if (Date.now() > giveUpAt) {
      throw new CrierError({
        code: 'store_locked',
        message: `Another process has held ${name} for ${longestWait / 1000} seconds. End it and try again.`,
      })
    }
    // Random, so that waiting processes do not check at the same moments.
    await new Promise((wake) => setTimeout(wake, 5 + Math.random() * 20))
  }
}

/**
 * Creates the file of this generation and returns its release; undefined where another process was
 * faster. Apart from its test, only `acquire` calls it.
 */
export async function take(
  name: string,
  generation: number,
): Promise<(() => Promise<void>) | undefined> {
  const file = fileOf(name, generation)
  try {
    await writeNew(file, JSON.stringify({ pid: process.pid, host: os.hostname() }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
  // Between the check and our file's creation other processes may have come and gone, and removed
  // the numbers below theirs, including ours. Their file then has a higher number.
  const all = await generations(name)
  if (all.at(-1) !== generation) {
    await remove(file)
    return undefined
  }
  for (const past of all.slice(0, -1)) await remove(fileOf(name, past))
  return () => rewrite(file, free)
}

async function isFree(file: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(file)
    const text = await readFile(file, 'utf8')
    const age = Date.now() - mtimeMs
    if (text === free || age > longestHold) return true
    if (text === '') return age > longestSigning
    const holder = JSON.parse(text) as { pid: number; host: string }
    return holder.host === os.hostname() && !isRunning(holder.pid)
  } catch (error) {
    // Removed, or read while half written: check again.
    if (isMissing(error) || error instanceof SyntaxError) return false
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process runs, under another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function generations(name: string): Promise<number[]> {
  const prefix = `${path.basename(name)}.lock.`
  const entries = await readdir(path.dirname(name))
  return entries
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => Number(entry.slice(prefix.length)))
    .filter((n) => Number.isSafeInteger(n) && n > 0)
    .sort((a, b) => a - b)
}

function fileOf(name: string, generation: number): string {
  return `${name}.lock.${generation}`
}

async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
}

/** Rewrites a file that must still exist: a process that took our lock for stale removed it. */
async function rewrite(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, 'r+')
    try {
      await handle.truncate()
      await handle.write(text, 0)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function remove(file: string): Promise<void> {
  try {
    await unlink(file)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
