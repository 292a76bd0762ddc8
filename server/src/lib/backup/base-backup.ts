/**
 * Copies a running PostgreSQL server with one statement of its replication protocol. The copy needs
 * no other program on the server and blocks no client. The server sends a tar file of its data
 * folder with the write-ahead log that makes it consistent, and a manifest with checksums.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type CopyFiles, openCopyFiles } from './copy-files.ts'

export interface BaseBackup {
  /** The position at which the log that this copy needs begins (such as `0/3000028`) and ends. */
  startLsn: string
  endLsn: string
  timeline: number
  /** The number of the cluster, by which its archive is told from those of others. */
  systemId: string
  /** Bytes of the tar file before compression. */
  bytes: number
}

export interface BaseBackupOptions {
  /** A connection of a role that may replicate; its user name holds no password. */
  connection: pg.ClientConfig
  /** An empty folder that receives the tar file and the manifest. */
  folder: string
  label: string
  /** Called from time to time with the bytes sent so far and the estimated total. */
  onProgress?: (done: number, of: number) => void
}

export async function takeBaseBackup(options: BaseBackupOptions): Promise<BaseBackup> {
  const { connection, folder, label, onProgress = () => {} } = options
  // Replication needs its parameter in the first packet, and supports only the simple protocol.
  const client = new pg.Client({ ...connection, replication: 'true' } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
  try {
    const files = openCopyFiles(folder)
    let done = 0
    let total = 0
    const rows: Record<string, unknown>[] = []
    // The slot keeps the log that is written during the copy. It ends with the connection.
    const slot = `crier_backup_${randomBytes(6).toString('hex')}`
    const { rows: system } = await client.query('IDENTIFY_SYSTEM')
    const systemId = String((system[0] as { systemid: string }).systemid)
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`)
    // The copy contains the log that it needs. Waiting for the archive as well would have no end
    // where that is full.
    const query = new pg.Query(
      `BASE_BACKUP (LABEL '${label.replaceAll("'", "''")}', WAL true, WAIT false, CHECKPOINT 'fast', MANIFEST 'yes', PROGRESS true)`,
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
        // The data is copied because the driver reuses its buffer.
        const data = Buffer.from(chunk.subarray(1))
        done += data.length
        // If the disk is slower than the socket, the server has to wait as well.
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
      systemId,
      bytes: done,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** The methods that the driver calls on a query but does not declare. */
interface CopyQuery extends NodeJS.EventEmitter {
  handleCopyData(message: { chunk: Buffer }): void
}

type Pausable = Pick<NodeJS.ReadStream, 'isPaused' | 'pause' | 'resume'>

function pauseUntilDrained(stream: Pausable, files: CopyFiles): void {
  // What was already read still arrives after the first pause.
  if (stream.isPaused()) return
  stream.pause()
  files.onDrain(() => stream.resume())
}
