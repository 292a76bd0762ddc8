/**
 * Copies the rows of one table from one server to another, in PostgreSQL's binary form, which all
 * its versions read. The rows pass through this process in pieces; none is decoded.
 */
import type { EventEmitter } from 'node:events'
import type net from 'node:net'
import pg from 'pg'

export interface CopiedTable {
  name: string
  /** Quoted, without generated ones. */
  columns: readonly string[]
}

/** Returns the number of rows. `onRows` gets the rows and bytes since its last call. */
export async function copyRows(
  from: pg.Client,
  to: pg.Client,
  { name, columns }: CopiedTable,
  onRows: (rows: number, bytes: number) => void,
): Promise<number> {
  const list = `${pg.escapeIdentifier(name)} (${columns.join(', ')})`
  const [source, target] = [socketOf(from), socketOf(to)]
  const reading = copyQuery(`copy ${list} to stdout (format binary)`)
  const writing = copyQuery(`copy ${list} from stdin (format binary)`)
  const begun = Promise.withResolvers<Writer>()
  writing.handleCopyInResponse = (writer) => begun.resolve(writer)
  const written = ended(writing)
  written.catch(begun.reject)
  to.query(writing as never)
  const writer = await begun.promise

  let pieces: Buffer[] = []
  let held = 0
  const flush = () => {
    writer.sendCopyFromChunk(Buffer.concat(pieces, held))
    onRows(pieces.length, held)
    pieces = []
    held = 0
    if (!target.writableNeedDrain || source.isPaused()) return
    // A target that is slower than the source makes the source wait.
    source.pause()
    target.once('drain', () => source.resume())
  }
  // The server sends one message for each row.
  reading.handleCopyData = ({ chunk }) => {
    // The driver reuses its buffer.
    pieces.push(Buffer.from(chunk))
    held += chunk.length
    if (held >= pieceBytes) flush()
  }
  const read = ended(reading)
  from.query(reading as never)
  await Promise.race([read, written])
  if (held > 0) flush()
  writer.endCopyFrom()
  return written
}

const pieceBytes = 64 * 1024

interface Writer {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** The methods that the driver calls on a query but does not declare. */
interface CopyQuery extends EventEmitter {
  handleCopyInResponse(writer: Writer): void
  handleCopyData(message: { chunk: Buffer }): void
}

const copyQuery = (text: string) => new pg.Query(text) as unknown as CopyQuery

function ended(query: CopyQuery): Promise<number> {
  return new Promise((resolve, reject) => {
    query.once('end', (result: pg.QueryResult) => resolve(result.rowCount ?? 0))
    query.once('error', reject)
  })
}

const socketOf = (client: pg.Client) =>
  (client as unknown as { connection: { stream: net.Socket } }).connection.stream
