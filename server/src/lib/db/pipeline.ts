/**
 * Statements that go over a connection in one piece, with one `Sync` behind them. The driver
 * by itself sends one with every statement, and for each the server writes, which wakes us; it
 * also asks every time for a description of the columns, which those of a prepared statement
 * never change.
 */

import pg from 'pg'
import type { Answer, Sql } from './types.ts'
import { type Field, type RowReader, rowReader, spell } from './values.ts'

export interface PipelinedStatement {
  /** Without a name where it is to be planned anew. */
  statement: Sql
  /**
   * Called rather than promised: what the driver's own promises held lived on until the next
   * full collection (3,000 answers of 30 rows left 30 MB in the old heap, and so leave
   * nothing), which doubled what the service grew to under load.
   */
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Sends statements; those behind one that fails do not run, and fail with its error. */
export function sendTogether(client: pg.PoolClient, asked: readonly PipelinedStatement[]): void {
  client.query(new Pipeline(asked) as unknown as pg.Submittable)
}

/** What is used of the driver's connection, which types less of it. */
interface Transport {
  readonly stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  /** Texts of the prepared statements there are, and of those that are on their way, by name. */
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(message: { name: string; text: string }): void
  bind(message: BindMessage): void
}

interface BindMessage {
  statement: string
  values: readonly unknown[]
  valueMapper: typeof spell
}

/** How rows of prepared statements are read, by their names; null of those that give none. */
type Readers = Map<string, RowReader | null>
const readersOn = new WeakMap<Transport, Readers>()

// The messages without values: describe and execute what was bound, and the end of it all.
const describe = Buffer.from('D\0\0\0\x06P\0', 'latin1')
const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const sync = Buffer.from('S\0\0\0\x04', 'latin1')

// In a pipeline the driver takes queries of its own class alone.
const DriverQuery = pg.Query as unknown as new (text: string) => object

/** As the driver knows a query: it calls `submit`, then `handle…` for what is answered. */
class Pipeline extends DriverQuery {
  /** Name and text of the statement that is answered now: the driver notes those parsed. */
  name = ''
  text = ''
  private readonly asked: readonly PipelinedStatement[]
  private readers: Readers = new Map()
  /** Why no more of them went out: a value that cannot be spelt. */
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
      for (const { statement } of this.asked) this.put(transport, statement)
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
    transport.bind({ statement: name, values, valueMapper: spell })
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

  /** `INSERT 0 3`, `UPDATE 3`, `COMMIT`: the count comes last. */
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

  /** By the server, whereupon it passes over the rest; or by the connection, which is no more. */
  handleError(error: unknown, transport: Transport): void {
    for (const { statement } of this.asked.slice(this.answers.length)) {
      delete transport.submittedNamedStatements[statement.name]
    }
    this.end(error)
  }

  /**
   * A statement by itself commits after its answer, when the server reads the `Sync`: where an
   * error comes in between, such as a crash that cuts the commit off, it is not known to have
   * happened. Within a transaction `commit` answers for all.
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
