/**
 * A copy of a running PostgreSQL by one statement of its replication protocol: no program is
 * needed beside the server, and nobody waits. The server sends a tar file of its data folder
 * with the write-ahead log that makes it whole, and a manifest with checksums.
 */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import pg from 'pg'

export const tarName = 'base.tar.zst'
export const manifestName = 'backup_manifest'

export interface BaseBackup {
  /** Where the log begins that this copy needs, such as `0/3000028`, and where it is whole. */
  startLsn: string
  endLsn: string
  timeline: number
  /** Of the tar file before it was compressed. */
  bytes: number
}

export interface BaseBackupOptions {
  /** Of a role that may replicate, without a password in its name. */
  connection: pg.ClientConfig
  /** An empty folder that takes the tar file and the manifest. */
  folder: string
  label: string
  /** Told now and then: bytes so far, of about so many. */
  onProgress?: (done: number, of: number) => void
}

export async function takeBaseBackup(options: BaseBackupOptions): Promise<BaseBackup> {
  const { connection, folder, label, onProgress = () => {} } = options
  // Replication needs its parameter in the first packet, and speaks the simple protocol alone.
  const client = new pg.Client({ ...connection, replication: 'true' } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  try {
    const files = openFiles(folder)
    let done = 0
    let total = 0
    const rows: Record<string, unknown>[] = []
    // It keeps the log that is written meanwhile; with the connection it goes away.
    const slot = `crier_backup_${randomBytes(6).toString('hex')}`
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`)
    const query = new pg.Query(
      `BASE_BACKUP (LABEL '${label.replaceAll("'", "''")}', WAL true, CHECKPOINT 'fast', MANIFEST 'yes', PROGRESS true)`,
    ) as unknown as CopyQuery
    const { stream } = (client as unknown as { connection: { stream: Pausable } }).connection
    query.on('row', (row) => {
      rows.push(row)
      total ||= Number(row['size'] ?? 0) * 1024
    })
    query.handleCopyData = ({ chunk }) => {
      const kind = String.fromCharCode(chunk[0] ?? 0)
      if (kind === 'n') files.begin('tar')
      else if (kind === 'm') files.begin('manifest')
      else if (kind === 'd') {
        // A copy: the driver uses its buffer again.
        const data = Buffer.from(chunk.subarray(1))
        done += data.length
        // A disk slower than the socket: the server waits as well.
        if (!files.write(data)) pauseUntilDrained(stream, files)
      } else if (kind === 'p') onProgress(done, total)
    }
    const ended = new Promise<void>((resolve, reject) => {
      query.once('end', () => resolve())
      query.once('error', reject)
    })
    client.query(query as never)
    await Promise.race([ended, files.failed])
    await files.end()
    const positions = rows.filter((row) => 'recptr' in row)
    const [start, end] = [positions[0], positions.at(-1)]
    return {
      startLsn: String(start?.['recptr']),
      endLsn: String(end?.['recptr']),
      timeline: Number(start?.['tli']),
      bytes: done,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** What the driver calls on a query and does not declare. */
interface CopyQuery extends NodeJS.EventEmitter {
  handleCopyData(message: { chunk: Buffer }): void
}

type Pausable = Pick<NodeJS.ReadStream, 'pause' | 'resume'>

function pauseUntilDrained(stream: Pausable, files: Files): void {
  stream.pause()
  files.onDrain(() => stream.resume())
}

type Files = ReturnType<typeof openFiles>

/** The two files in turn, each on disk before `end` resolves. */
function openFiles(folder: string) {
  const writing: Promise<void>[] = []
  let current: PassThrough | undefined
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  return {
    failed,
    begin(what: 'tar' | 'manifest') {
      current?.end()
      current = new PassThrough({ highWaterMark: 1024 * 1024 })
      const file = path.join(folder, what === 'tar' ? tarName : manifestName)
      const out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
      const whole =
        what === 'tar' ? pipeline(current, createZstdCompress(), out) : pipeline(current, out)
      writing.push(whole.then(() => syncFile(file)))
      whole.catch(fail)
    },
    write: (data: Buffer): boolean => current?.write(data) ?? true,
    onDrain: (act: () => void) => void current?.once('drain', act),
    async end() {
      current?.end()
      await Promise.all(writing)
    },
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
