/** One transaction on one connection, in as few round trips as its work allows. */
import type pg from 'pg'
import type { Sql, Tx, TxOptions } from './db.ts'
import { ask, type Loan, statementsOn } from './db-statements.ts'
import { isRefusal } from './errors.ts'

export async function inTransaction<T>(
  loan: Loan,
  work: (tx: Tx) => Promise<T>,
  { lockWaitMs }: TxOptions = {},
): Promise<T> {
  const { client } = loan
  const unanswered: Promise<unknown>[] = []
  const acts: (() => void)[] = []
  const line = openLine(client, begin(lockWaitMs))
  const seeing = statementsOn(line.send)
  const blind: Tx = {
    ...seeing,
    async run(statement) {
      const answer = line.send(statement)
      // Heard of at the end; until then nobody listens.
      answer.catch(() => {})
      unanswered.push(answer)
      return 0
    },
    inTransaction: true,
    afterCommit: (act) => acts.push(act),
    get blind() {
      return blind
    },
  }
  try {
    const result = await work({ ...blind, ...seeing, blind })
    await line.begun
    line.close()
    const ending = ask(client, plain(isRefusal(result) ? 'rollback' : 'commit'))
    const [{ command }] = await Promise.all([ending, ...unanswered])
    if (command === 'ROLLBACK' && !isRefusal(result)) {
      throw new Error('nothing was committed: the error of a statement was swallowed')
    }
    if (command === 'COMMIT') for (const act of acts) act()
    return result
  } catch (error) {
    line.close()
    // A connection that cannot roll back is in an unknown state: never reuse it.
    await ask(client, plain('rollback')).catch((fault: Error) => {
      loan.broken ??= fault
    })
    throw error
  }
}

const plain = (text: string): Sql => ({ name: '', text, values: [] })

function begin(lockWaitMs: number | undefined): string {
  return lockWaitMs === undefined ? 'begin' : `begin; set local lock_timeout = ${lockWaitMs}`
}

interface Waiting {
  go(): void
  fail(error: unknown): void
}

/**
 * Statements in the order in which they are asked for. Those that only read go out with
 * `begin`; from the first other one on they wait for its answer, since what follows a
 * failed `begin` would be committed piece by piece.
 */
function openLine(client: pg.PoolClient, opening: string) {
  let state: 'opening' | 'open' | 'failed' | 'closed' = 'opening'
  const waiting: Waiting[] = []
  gatherWrites(client)
  const begun = ask(client, plain(opening)).then(
    () => {
      if (state === 'opening') state = 'open'
      for (const { go } of waiting) go()
    },
    (error: unknown) => {
      state = 'failed'
      for (const { fail } of waiting) fail(error)
      throw error
    },
  )
  // Whoever has work in the transaction hears of it; there may be nobody.
  begun.catch(() => {})
  const put = (statement: Sql): Promise<pg.QueryResult> => {
    gatherWrites(client)
    const answer = ask(client, statement)
    sendLarge(client)
    return answer
  }
  return {
    begun,
    close() {
      state = 'closed'
    },
    async send(statement: Sql): Promise<pg.QueryResult> {
      if (state === 'closed') throw new Error('a statement came after its transaction had ended')
      if (state === 'failed') await begun
      const may = state === 'open' || (waiting.length === 0 && onlyReads(statement))
      if (may) return put(statement)
      return new Promise((resolve, reject) => {
        waiting.push({ go: () => resolve(put(statement)), fail: reject })
      })
    },
  }
}

const onlyReads = ({ text }: Sql) => /^\s*select\b/.test(text)

/**
 * What is asked for until nothing more can run now goes out in one write: each write wakes
 * the server's process, which costs more than most statements do.
 */
function gatherWrites({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Bytes that are work enough for the server while the next statement is made. */
const large = 64 * 1024

function sendLarge({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0 && stream.writableLength > large) {
    stream.uncork()
    stream.cork()
  }
}
