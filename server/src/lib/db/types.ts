/** The interface of PostgreSQL for the rest of the code. */

/** The result of a statement. */
export interface Answer {
  /** The command, such as `INSERT` or `COMMIT`. */
  command: string
  rowCount: number
  rows: unknown[]
}

export interface Sql {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
  readonly replan?: true
  /** Milliseconds after which the server cancels it outside transactions (57014, `isGivenUp`). */
  readonly patienceMs?: number
}

export interface Db {
  all<T>(statement: Sql): Promise<T[]>
  maybe<T>(statement: Sql): Promise<T | undefined>
  /** Returns exactly one row; any other number is a bug. */
  one<T>(statement: Sql): Promise<T>
  /** Runs the statement and returns the number of rows that it touched. */
  run(statement: Sql): Promise<number>
}

/**
 * A `Db` whose statements commit together or not at all. They run one after another, in
 * the order of the calls. Statements that do not need each other's results are best called
 * at once, since they are then sent to the server together.
 */
export interface Tx extends Db {
  readonly inTransaction: true
  /** Whether the rows of each business are on a node of their own. */
  isDistributed?(): boolean
  /** Runs `act` after the transaction has committed, and never if it does not commit. */
  afterCommit(act: () => void): void
  /**
   * The same transaction, for writes whose results are not needed: `run` returns 0 at once, and
   * if the statement fails, the commit fails. It is best for the last writes, which are then sent
   * together with the commit.
   */
  readonly pipelined: Tx
}

export interface Database extends Db {
  /**
   * Runs `work` in one transaction. The transaction is rolled back when `work` throws or returns a
   * Refusal. It runs again when PostgreSQL reports a serialisation failure or a deadlock, so `work`
   * must not act outside the database. When the connection breaks it throws and does not run again,
   * because a commit whose answer was lost may have happened: only the caller's own key can tell.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /**
   * Runs transactions one after another on one connection. Each may begin as soon as the commit of
   * the one before it was sent, so that neither side waits for the other. Nothing is run again.
   */
  series<T>(body: (begin: BeginNext) => Promise<T>): Promise<T>
  /** Has every error of this database told to `hear` too, whoever catches it. */
  onError(hear: (error: unknown) => void): void
  /** The use of the pool of connections now, and how long callers have waited since the start. */
  poolUse(): PoolUse
  /** Whether the rows of each business are on a node of their own; false until `findNodes`. */
  isDistributed(): boolean
  /** Asks the database; from then on statements over a set of one business name it. */
  findNodes(): Promise<boolean>
  end(): Promise<void>
}

/** Begins the next transaction of a series. The one before it must have been sent. */
export type BeginNext = <T>(work: (tx: Tx) => Promise<T>) => Committing<T>

/** A transaction of a series. Both promises reject if it fails. */
export interface Committing<T> {
  /** Resolves when `work` has ended and the commit was sent. */
  sent: Promise<void>
  /** Resolves when it has committed. */
  committed: Promise<T>
}

export interface PoolUse {
  /** Connections that a caller holds, and open ones that nobody does. */
  busy: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
  /** Seconds that all callers together have waited. */
  waitedSeconds: number
}

export interface TxOptions {
  /** Milliseconds that a statement waits for a row lock. There is no limit by default. */
  lockWaitMs?: number
  /** Milliseconds after which the server cancels a statement (57014). The default is never. */
  statementMs?: number
  /** Megabytes that a sort or hash of a statement may use. The default is the server's setting. */
  workMegabytes?: number
}
