/**
 * Sends several statements over a connection in one piece, with a single `Sync` after them. The
 * driver sends a `Sync` with every statement, and the server writes an answer to each, which wakes
 * this process. The driver also requests the description of the columns every time, which never
 * changes for a prepared statement.
 */

import pg from 'pg'
import { bindMessage } from './bind-message.ts'
import type { Answer, Sql } from './types.ts'
import { type Field, type RowReader, rowReader } from './values.ts'

export interface PipelinedStatement {
  /** The name is empty where the statement is to be planned anew. Once it is sent, its values go. */
  statement: Sql
  /**
   * A callback rather than a promise. The objects that the driver's own promises held survived
   * until the next full collection (3,000 answers of 30 rows left 30 MB in the old heap, and leave
   * nothing so), which doubled the service's memory under load.
   */
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Sends statements. Those after a failed one do not run and fail with its error. */
export function sendTogether(client: pg.PoolClient, asked: readonly PipelinedStatement[]): void {
  client.query(new Pipeline(asked) as unknown as pg.Submittable)
}

/** The part of the driver's connection that is used here, which its types lack. */
interface Transport {
  readonly stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  /** The texts of existing prepared statements, and of those being prepared, by name. */
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(message: { name: string; text: string }): void
}

/**
 * How rows of prepared statements are parsed, by statement name; null for statements without rows.
 */
type Readers = Map<string, RowReader | null>
const readersOn = new WeakMap<Transport, Readers>()

// The messages without values: describe the bound statement, execute it, and sync.
const describe = Buffer.from('D\0\0\0\x06P\0', 'latin1')
const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const sync = Buffer.from('S\0\0\0\x04', 'latin1')

// In a pipeline the driver accepts only queries of its own class.
const DriverQuery = pg.Query as unknown as new (text: string) => object

/** The values of a sent statement would take their memory once more until it is answered. */
const withoutValues = ({ name, text }: Sql): Sql => ({ name, text, values: [] })

/** A query as the driver knows it: it calls `submit`, then `handle…` for each answer. */
class Pipeline extends DriverQuery {
  /** Name and text of the statement being answered; the driver records those that were parsed. */
  name = ''
  text = ''
  private readonly asked: readonly PipelinedStatement[]
  private readers: Readers = new Map()
  /** Why the remaining statements were not sent: a value could not be serialised. */
  private fault: unknown
  private readonly answers: (Answer | { unreadable: unknown })[] = []
  private read: unknown[] = []
  private reader: RowReader | null = null
  private unreadable: unknown

  constructor(asked: readonly PipelinedStatement[]) {
    super('')
    this.asked = asked
  }

  submit(transport: Transport): void {
    this.readers = readersOn.get(transport) ?? new Map()
    readersOn.set(transport, this.readers)
    transport.stream.cork()
    try {
      for (const one of this.asked) {
        this.put(transport, one.statement)
        one.statement = withoutValues(one.statement)
      }
    } catch (error) {
      this.fault = error
    }
    transport.stream.write(sync)
    transport.stream.uncork()
    this.expect()
  }

  private put(transport: Transport, { name, text, values }: Sql): void {
    const isKnown =
      name !== '' &&
      (transport.parsedStatements[name] ?? transport.submittedNamedStatements[name]) !== undefined
    if (!isKnown) transport.parse({ name, text })
    if (!isKnown && name !== '') transport.submittedNamedStatements[name] = text
    transport.stream.write(bindMessage(name, values))
    if (!this.readers.has(name)) transport.stream.write(describe)
    transport.stream.write(execute)
  }

  private expect(): void {
    const { name = '', text = '' } = this.asked[this.answers.length]?.statement ?? {}
    this.name = name
    this.text = text
    this.reader = this.readers.get(name) ?? null
    this.read = []
    this.unreadable = undefined
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.reader = rowReader(fields)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.unreadable !== undefined) return
    try {
      if (this.reader) this.read.push(this.reader(fields))
    } catch (error) {
      this.unreadable = error
    }
  }

  /** In `INSERT 0 3`, `UPDATE 3` and `COMMIT` the last word is the count, where there is one. */
  handleCommandComplete({ text }: { text: string }): void {
    const [command = '', ...counts] = text.split(' ')
    const rowCount = Number(counts.at(-1) ?? 0)
    const { unreadable, read: rows } = this
    this.answers.push(unreadable === undefined ? { command, rowCount, rows } : { unreadable })
    if (this.name !== '') this.readers.set(this.name, this.reader)
    this.expect()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.end(this.fault)
  }

  /** Handles an error of the server, which skips the rest, or of the lost connection. */
  handleError(error: unknown, transport: Transport): void {
    for (const { statement } of this.asked.slice(this.answers.length)) {
      delete transport.submittedNamedStatements[statement.name]
    }
    this.end(error)
  }

  /**
   * A single statement commits after its answer, when the server reads the `Sync`. If an error
   * comes in between, such as a crash during the commit, it is unknown whether the statement
   * committed. Within a transaction the answer to `commit` decides.
   */
  private end(error: unknown): void {
    const isUnsure = error !== undefined && this.asked.length === 1
    for (const [i, { resolve, reject }] of this.asked.entries()) {
      const answer = this.answers[i]
      if (!answer || isUnsure) reject(error)
      else if ('unreadable' in answer) reject(answer.unreadable)
      else resolve(answer)
    }
  }
}
