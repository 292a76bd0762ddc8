/** PostgreSQL's own programs for dumps, found on this machine, and how they are run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, globSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
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

/** Which versions do: `pg_dump` reads no newer server, and `pg_restore` writes to no older one. */
export interface DumpVersions {
  oldest: number
  newest?: number
}

/** Those of the oldest version that does, else the oldest newer ones. */
export async function findDumpPrograms(
  { oldest, newest = Number.POSITIVE_INFINITY }: DumpVersions,
  folders: readonly string[] = defaultFolders(),
): Promise<DumpPrograms | undefined> {
  const programs: DumpPrograms[] = []
  for (const folder of new Set(folders)) {
    if (!existsSync(path.join(folder, 'pg_dump'))) continue
    if (!existsSync(path.join(folder, 'pg_restore'))) continue
    const major = await majorOf(path.join(folder, 'pg_dump'))
    if (major !== undefined && major >= oldest && major <= newest) programs.push({ folder, major })
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

/** Parameters of an address that PostgreSQL's library knows too, and in the same sense. */
const sharedParameters = [
  'application_name',
  'channel_binding',
  'connect_timeout',
  'gssencmode',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'krbsrvname',
  'options',
  'ssl_max_protocol_version',
  'ssl_min_protocol_version',
  'sslcert',
  'sslkey',
  'sslsni',
  'target_session_attrs',
  'tcp_user_timeout',
]

/** Since this version PostgreSQL's library can verify a server by the authorities that its machine trusts. */
const withSystemRoots = 16
/** And since this one it can begin with TLS at once. */
const withDirectTls = 17

/**
 * The address as PostgreSQL's library reads it. The driver's own words for TLS are translated, so that a server is
 * verified here as the service verifies it, and what only the driver knows is left out. The password goes by the
 * environment, which no list of processes shows.
 */
export function libraryAddress(
  databaseUrl: string,
  major: number,
): { address: string; env: Record<string, string> } {
  const client = new pg.Client({ connectionString: databaseUrl })
  const { host, port, user = '', database = '', password } = client
  const parameters = new URLSearchParams(databaseUrl.split('?').slice(1).join('?'))
  const shared = sharedParameters.flatMap((name) => {
    const value = parameters.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const words: (readonly [string, string])[] = [
    ['host', host],
    ['port', String(port)],
    ['user', user],
    ['dbname', database],
    ...shared,
    ...(host.startsWith('/') ? [] : tlsWords(client, parameters, major)),
  ]
  return {
    address: words.map(([name, value]) => `${name}=${quoted(value)}`).join(' '),
    env: password ? { PGPASSWORD: password } : {},
  }
}

const quoted = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function tlsWords(
  client: pg.Client,
  parameters: URLSearchParams,
  major: number,
): [string, string][] {
  const { ssl } = client as unknown as { ssl: boolean | TlsOptions }
  if (!ssl) return parameters.get('sslmode') === 'disable' ? [['sslmode', 'disable']] : []
  const isDirect = parameters.get('sslnegotiation') === 'direct' && major >= withDirectTls
  const direct: [string, string][] = isDirect ? [['sslnegotiation', 'direct']] : []
  const options = typeof ssl === 'object' ? ssl : {}
  // A file of authorities would have the library verify what the driver does not.
  if (options.rejectUnauthorized === false) return [['sslmode', 'require'], ...direct]
  const roots = parameters.get('sslrootcert')
  if (roots === null && major < withSystemRoots) {
    throw new StartError(
      `pg_dump and pg_restore of PostgreSQL ${major} cannot verify the server's certificate by the authorities that this machine trusts. Add sslrootcert=FILE to the URL of the database (on Debian: sslrootcert=/etc/ssl/certs/ca-certificates.crt, or the file of its provider), or install the programs of PostgreSQL ${withSystemRoots} or newer.`,
    )
  }
  // With names unchecked by the driver, which only a file of authorities allows.
  const mode = options.checkServerIdentity ? 'verify-ca' : 'verify-full'
  return [['sslmode', mode], ['sslrootcert', roots ?? 'system'], ...direct]
}

interface TlsOptions {
  rejectUnauthorized?: boolean
  checkServerIdentity?: unknown
}

export function socketUrl({ host, user, database }: pg.ClientConfig): string {
  const name = encodeURIComponent(database ?? '')
  return `postgresql://${encodeURIComponent(user ?? '')}@/${name}?host=${encodeURIComponent(host ?? '')}`
}

/** Writes the dump; `onProgress` gets the bytes of the file. */
export async function dumpDatabase(
  { folder, major }: DumpPrograms,
  databaseUrl: string,
  { file, onProgress }: { file: string; onProgress: (bytes: number) => void },
): Promise<number> {
  const { address, env } = libraryAddress(databaseUrl, major)
  const flags = ['--format=custom', '--no-owner', '--no-acl', '--no-password']
  const child = spawn(path.join(folder, 'pg_dump'), [...flags, `--dbname=${address}`], {
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
  { folder, major }: DumpPrograms,
  databaseUrl: string,
  packed: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { address, env } = libraryAddress(databaseUrl, major)
  const flags = ['--no-owner', '--no-acl', '--no-password', '--single-transaction']
  const child = spawn(path.join(folder, 'pg_restore'), [...flags, `--dbname=${address}`], {
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
