/**
 * How `crier trigger` finds those who listen: each leaves a private file with the
 * port it has on loopback and a token, and takes it away when it stops.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { listenFolder } from '../config-folder.ts'
import { readText, writeText } from './private-file.ts'

export interface Listener {
  port: number
  /** Loopback is open to every user of the machine, and to pages in a browser. */
  token: string
  business_id: string
}

const running = /^running-\w+\.json$/

/** Gives the function that takes the file away. */
export async function announce(url: string, listener: Listener): Promise<() => Promise<void>> {
  const name = `running-${randomBytes(6).toString('hex')}.json`
  const file = path.join(listenFolder(url), name)
  await writeText(file, JSON.stringify(listener))
  return () => rm(file, { force: true })
}

/**
 * Hands the listeners of a server to `use`, one after the other. One that was killed
 * left its file: where `use` says that nobody answers, it is removed.
 */
export async function withListeners<T>(
  url: string,
  use: (listener: Listener) => Promise<T | 'gone'>,
): Promise<T[]> {
  const folder = listenFolder(url)
  const names = await readdir(folder).catch(() => [])
  const results: T[] = []
  for (const name of names.filter((one) => running.test(one))) {
    const file = path.join(folder, name)
    const text = await readText(file)
    if (text === undefined) continue
    const result = await use(JSON.parse(text) as Listener)
    if (result === 'gone') await rm(file, { force: true })
    else results.push(result)
  }
  return results
}
