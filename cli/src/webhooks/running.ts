/**
 * How `crier trigger` finds the listeners: each writes a private file with its loopback port and a
 * token, and removes it when it stops.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { listenFolder } from '../config-folder.ts'
import { readText, writeText } from './private-file.ts'

export interface Listener {
  port: number
  /** Needed because every user of the machine, and pages in a browser, can reach loopback. */
  token: string
  business_id: string
}

const running = /^running-\w+\.json$/

/** Returns a function that removes the file. */
export async function announce(url: string, listener: Listener): Promise<() => Promise<void>> {
  const name = `running-${randomBytes(6).toString('hex')}.json`
  const file = path.join(listenFolder(url), name)
  await writeText(file, JSON.stringify(listener))
  return () => rm(file, { force: true })
}

/**
 * Passes the listeners of a server to `use`, one after the other. A killed listener leaves its
 * file, which is removed where `use` returns `gone`.
 */
export async function withListeners<T>(
  url: string,
  use: (listener: Listener) => Promise<T | 'gone'>,
): Promise<T[]> {
  const folder = listenFolder(url)
  const names = await readdir(folder).catch(() => [])
  const results: T[] = []
  for (const name of names.filter((entry) => running.test(entry))) {
    const file = path.join(folder, name)
    const text = await readText(file)
    if (text === undefined) continue
    const result = await use(JSON.parse(text) as Listener)
    if (result === 'gone') await rm(file, { force: true })
    else results.push(result)
  }
  return results
}
