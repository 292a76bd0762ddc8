/** PostgreSQL's own programs for dumps, found on this machine, and how they are run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { StartError } from '../db/start-error.ts'
import { programEnv } from '../postgres/cluster.ts'

/** In PostgreSQL's custom format, which `pg_restore` reads. */
export const dumpName = 'database.dump'

export interface DumpPrograms {
  /** The folder that holds `pg_dump` and `pg_restore`. */
  folder: string
  major: number
}

/** Debian installs the programs of each version in a folder of their own, outside of the PATH. */
const defaultFolders = () => [
  ...(process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean),
  ...globSync('/usr/lib/postgresql/*/bin'),
]

/** Those of the server's version, else the oldest newer ones: `pg_dump` reads no newer server. */
export async function findDumpPrograms(
  serverMajor: number,
  folders: readonly string[] = defaultFolders(),
): Promise<DumpPrograms | undefined> {
  const programs: DumpPrograms[] = []
  for (const folder of new Set(folders)) {
    if (!existsSync(path.join(folder, 'pg_dump'))) continue
    if (!existsSync(path.join(folder, 'pg_restore'))) continue
    const major = await majorOf(path.join(folder, 'pg_dump'))
    if (major !== undefined && major >= serverMajor) programs.push({ folder, major })
  }
  return programs.toSorted((a, b) => a.major - b.major)[0]
}

async function majorOf(program: string): Promise<number | undefined> {
  const child = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const printed = Readable.from(child.stdout).toArray()
  const isRun = await once(child, 'close').then(
    () => true,
    () => false,
  )
  if (!isRun) return undefined
  return Number(/\(PostgreSQL\) (\d+)/.exec((await printed).join(''))?.[1]) || undefined
}

/** A client of PostgreSQL's library. The password goes by the environment, which no list of processes shows. */
export function libraryAddress(databaseUrl: string): { url: string; env: Record<string, string> } {
  if (!URL.canParse(databaseUrl)) return { url: databaseUrl, env: {} }
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { url: url.href, env: password === '' ? {} : { PGPASSWORD: password } }
}

export function socketUrl({ host, user, database }: pg.ClientConfig): string {
  const name = encodeURIComponent(database ?? '')
  return `postgresql://${encodeURIComponent(user ?? '')}@/${name}?host=${encodeURIComponent(host ?? '')}`
}

/** Writes the dump; `onProgress` gets the bytes of the file. */
export async function dumpDatabase(
  { folder }: DumpPrograms,
  databaseUrl: string,
  { file, onProgress }: { file: string; onProgress: (bytes: number) => void },
): Promise<number> {
  const { url, env } = libraryAddress(databaseUrl)
  const flags = ['--format=custom', '--no-owner', '--no-acl', '--no-password', `--dbname=${url}`]
  const child = spawn(path.join(folder, 'pg_dump'), flags, {
    env: { ...programEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = endOf(child, 'pg_dump')
  ended.catch(() => {})
  let bytes = 0
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      onProgress(bytes)
      yield chunk
    }
  }
  try {
    const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(child.stdout, counted, out)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  await ended
  return bytes
}

/** Restores it in one transaction, so that a failure leaves nothing behind. */
export async function restoreDump(
  { folder }: DumpPrograms,
  databaseUrl: string,
  packed: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { url, env } = libraryAddress(databaseUrl)
  const flags = ['--no-owner', '--no-acl', '--no-password', '--single-transaction']
  const child = spawn(path.join(folder, 'pg_restore'), [...flags, `--dbname=${url}`], {
    env: { ...programEnv, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = endOf(child, 'pg_restore')
  ended.catch(() => {})
  await pipeline(Readable.from(packed), child.stdin).catch((error: NodeJS.ErrnoException) => {
    // Its own words say why it read no further.
    if (error.code !== 'EPIPE') {
      child.kill('SIGKILL')
      throw error
    }
  })
  await ended
}

type Program = ReturnType<typeof spawn>

async function endOf(child: Program, name: string): Promise<void> {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    words = (words + more).slice(-2_000)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return
  throw new StartError(`${name} failed: ${words.trim() || `it ended with ${code}`}`)
}
