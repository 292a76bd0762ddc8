/**
 * Backups of a server at DATABASE_URL. Where its user may replicate, the whole data folder is copied, as
 * `pg_basebackup` does; elsewhere the database is dumped by PostgreSQL's own program. Both are verified by
 * starting, or restoring, them on this machine, if it has the server's programs.
 */
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { takeBaseBackup } from '../../lib/backup/base-backup.ts'
import { type RunningCopy, startCopy, unpackBackup } from '../../lib/backup/copy.ts'
import {
  type DumpPrograms,
  dumpDatabase,
  dumpName,
  findDumpPrograms,
  restoreDump,
  socketUrl,
} from '../../lib/backup/dump.ts'
import { detachedSettings } from '../../lib/backup/server-copy.ts'
import { StartError } from '../../lib/db/start-error.ts'
import { MissingPrograms } from '../../lib/postgres/binaries.ts'
import { makeCluster } from '../../lib/postgres/cluster.ts'
import { privateFolder } from '../../lib/postgres/home.ts'
import { partialName } from '../../lib/postgres/leftovers.ts'
import { prepareHome } from '../../lib/postgres/open.ts'
import { refusePooler } from '../../lib/postgres/pooler.ts'
import { serviceDatabase, serviceRole } from '../../lib/postgres/presence.ts'
import type { Cluster } from '../../lib/postgres/server.ts'
import { shortFolder } from '../../lib/postgres/socket-folder.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type BackupFacts, nameOf } from '../model/backup.ts'
import type { BackupSource, Content, Making, Unverified } from './source.ts'
import { BackupFault, checkCopy, refuseDamaged, refuseUnstarted, type Verified } from './verify.ts'

export interface ServerDeps {
  /** DATABASE_DIRECT_URL where it is set: nothing here may go over a pooler. */
  databaseUrl: string
  dataDir: string
  clock: Clock
  log: Log
  secret: string
}

export async function serverSource(deps: ServerDeps): Promise<BackupSource> {
  const { dataDir, databaseUrl, clock, log, secret } = deps
  // Not where an embedded database would be: a command without DATABASE_URL must not take this for one.
  const room = path.join(dataDir, 'server-backups')
  await mkdir(room, { recursive: true, mode: 0o755 })
  return {
    home: room,
    async make(making) {
      const server = await ask(databaseUrl)
      return server.copyable === true
        ? copyServer(databaseUrl, server, making)
        : dumpServer(databaseUrl, server, making)
    },
    async verify(facts, packed) {
      const verifying = { room, databaseUrl, clock, log, secret, facts, packed }
      return facts.kind === 'dump' ? verifyDump(verifying) : verifyServerCopy(verifying)
    },
  }
}

interface Server {
  major: number
  systemId: string
  timeline: number
  lsn: string
  /** Or why it cannot be copied whole. */
  copyable: true | string
}

async function ask(databaseUrl: string): Promise<Server> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await refusePooler(client, 'a backup')
    const { rows } = await client.query<{
      major: number
      mayReplicate: boolean
      walLevel: string
      senders: number
      slots: number
      tablespaces: number
    }>(`
      select current_setting('server_version_num')::int / 10000 as major,
        (select rolreplication or rolsuper from pg_roles where rolname = current_user)
          as "mayReplicate",
        current_setting('wal_level') as "walLevel",
        current_setting('max_wal_senders')::int - (select count(*)::int from pg_stat_replication)
          as senders,
        current_setting('max_replication_slots')::int
          - (select count(*)::int from pg_replication_slots) as slots,
        (select count(*)::int from pg_tablespace where spcname not in ('pg_default', 'pg_global'))
          as tablespaces
    `)
    const [server] = rows
    if (!server) throw new StartError('The server of DATABASE_URL does not say what it is.')
    const { major, mayReplicate, walLevel, senders, slots, tablespaces } = server
    return {
      major,
      ...(await positionOf(client)),
      copyable: !mayReplicate
        ? 'its user may not replicate'
        : walLevel === 'minimal'
          ? 'its setting wal_level allows no copy'
          : // One for the copy, and one for the trial, whose end the server may notice later.
            senders < 2 || slots < 1
            ? 'its max_wal_senders or max_replication_slots are in use'
            : tablespaces > 0
              ? 'it has tablespaces of its own'
              : await replicates(databaseUrl),
    }
  } finally {
    await client.end()
  }
}

/** Which of two dumps of one server is newer, whatever a clock said. Some managed servers do not tell. */
async function positionOf(
  client: pg.Client,
): Promise<Pick<Server, 'systemId' | 'timeline' | 'lsn'>> {
  const reading = client.query<{ systemId: string; timeline: number; lsn: string }>(`
    select (select system_identifier::text from pg_control_system()) as "systemId",
      (select timeline_id from pg_control_checkpoint()) as timeline,
      pg_current_wal_lsn()::text as lsn
  `)
  const [position] = await reading.then(
    ({ rows }) => rows,
    () => [],
  )
  return position ?? { systemId: '', timeline: 0, lsn: '0/0' }
}

/** The right alone is not enough: pg_hba.conf has lines of their own for replication. */
async function replicates(databaseUrl: string): Promise<true | string> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    replication: 'true',
  } as pg.ClientConfig)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('IDENTIFY_SYSTEM')
    return true
  } catch (error) {
    return `it refuses replication (${(error as Error).message})`
  } finally {
    await client.end().catch(() => {})
  }
}

async function copyServer(
  databaseUrl: string,
  { major }: Server,
  { folder, startedAt, onProgress }: Making,
): Promise<Content> {
  const base = await takeBaseBackup({
    connection: { connectionString: databaseUrl },
    folder,
    label: `crier ${nameOf(startedAt)}`,
    onProgress: (done, of) => onProgress('copy', done, of),
  })
  return { ...base, kind: 'server', postgres: major }
}

async function dumpServer(
  databaseUrl: string,
  { major, systemId, timeline, lsn, copyable }: Server,
  { folder, onProgress }: Making,
): Promise<Content> {
  const programs = await findDumpPrograms({ oldest: major })
  if (!programs) {
    throw new StartError(
      `The server of DATABASE_URL cannot be copied, since ${copyable}, and this machine has no pg_dump of PostgreSQL ${major} or newer. Let the user replicate (alter role … replication, and a line in pg_hba.conf), or install the programs (on Debian: apt install postgresql-client-${major}).`,
    )
  }
  const bytes = await dumpDatabase(programs, databaseUrl, {
    file: path.join(folder, dumpName),
    onProgress: (done) => onProgress('copy', done, 0),
  })
  const position = { systemId, timeline, startLsn: lsn, endLsn: lsn }
  return { kind: 'dump', postgres: programs.major, ...position, bytes }
}

interface Verifying {
  room: string
  databaseUrl: string
  clock: Clock
  log: Log
  secret: string
  facts: BackupFacts
  packed: AsyncIterable<Uint8Array>
}

/** A server of this machine's programs, in a folder that is removed afterwards. */
async function inWorkshop<T>(
  { room, log }: Verifying,
  { major, isLeast = false }: { major: number; isLeast?: boolean },
  work: (cluster: Cluster, folder: string) => Promise<T>,
): Promise<T> {
  const options = { dataDir: room, log }
  const newest = isLeast ? await prepareHome(options) : undefined
  const isFit = newest !== undefined && newest.binaries.major >= major
  const { home, account, binaries } = isFit ? newest : await prepareHome(options, major)
  const folder = privateFolder(partialName(home, 'verify'), account)
  const run = shortFolder(account)
  try {
    const [data, logFile] = [path.join(folder, 'data'), path.join(folder, 'postgres.log')]
    return await work({ binaries, account, data, run, log: logFile }, folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    await rm(run, { recursive: true, force: true })
  }
}

async function verifyServerCopy(verifying: Verifying): Promise<Verified | Unverified> {
  const { databaseUrl, facts, packed } = verifying
  const { user = '', database = '' } = new pg.Client({ connectionString: databaseUrl })
  const access = { user, database }
  return ifThereAre(facts.postgres, () =>
    inWorkshop(verifying, { major: facts.postgres }, async (cluster, folder) => {
      await unpackBackup(packed, cluster.data, cluster.account).catch(refuseDamaged)
      const settings = await detachedSettings(folder, cluster.account, facts.postgres)
      const copy = await startCopy(cluster, settings, { access, asks: access }).catch(
        refuseUnstarted,
      )
      return stoppedAfter(copy, () => checkCopy(copy.connection, verifying))
    }),
  )
}

async function verifyDump(verifying: Verifying): Promise<Verified | Unverified> {
  const { facts, packed } = verifying
  const programs = await findDumpPrograms({ oldest: facts.postgres })
  if (!programs) return { why: withoutPrograms(facts.postgres) }
  // An older server refuses what pg_restore says to it, which is no fault of the dump.
  const { major } = programs
  return ifThereAre(major, () =>
    inWorkshop(verifying, { major, isLeast: true }, async (cluster, folder) => {
      const { binaries, account, data } = cluster
      await makeCluster(data, binaries, account, path.join(folder, 'made'), ['--no-sync'])
      const copy = await startCopy(cluster)
      return stoppedAfter(copy, async () => {
        await makeEmptyDatabase(copy)
        await restoreInto(copy, programs, packed)
        return checkCopy(copy.connection, verifying)
      })
    }),
  )
}

async function restoreInto(
  copy: RunningCopy,
  programs: DumpPrograms,
  packed: AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    await restoreDump(programs, socketUrl(copy.connection), packed)
  } catch (error) {
    const { message } = error as Error
    throw error instanceof StartError ? new BackupFault(`Its dump is damaged: ${message}`) : error
  }
}

async function makeEmptyDatabase({ superuser }: RunningCopy): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query(`create role ${serviceRole} login`)
    await client.query(`create database ${serviceDatabase} owner ${serviceRole}`)
  } finally {
    await client.end()
  }
}

async function stoppedAfter<T>(copy: RunningCopy, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await copy.stop()
  }
}

const withoutPrograms = (major: number) =>
  `this machine has no PostgreSQL ${major} to start it with (on Debian: apt install postgresql-${major})`

/** A machine without the server's programs keeps the backup, and says that nobody looked into it. */
async function ifThereAre<T>(major: number, work: () => Promise<T>): Promise<T | Unverified> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MissingPrograms) return { why: withoutPrograms(major) }
    throw error
  }
}
