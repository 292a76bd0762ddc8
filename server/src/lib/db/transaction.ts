/** One transaction on one connection, in as few round trips as its work allows. */

import pg from 'pg'
import { isRefusal } from '../schema/refusal.ts'
import { isOfServer } from './outage.ts'
import { type PipelinedStatement, sendTogether } from './pipeline.ts'
import { inTraces, type Loan, settled, statementsOn } from './statements.ts'
import type { Answer, Sql, Tx, TxOptions } from './types.ts'

interface Running extends TxOptions {
  /** Called when the commit has been sent. The connection then takes another transaction. */
  onSent?: () => void
}

export async function inTransaction<T>(
  loan: Loan,
  work: (tx: Tx) => Promise<T>,
  { onSent, ...options }: Running = {},
): Promise<T> {
  const unanswered: Promise<unknown>[] = []
  const acts: (() => void)[] = []
  const line = openLine(loan.client, options)
  const send = inTraces(line.send)
  const seeing = statementsOn(send)
  const afterCommit = (act: () => void) => void acts.push(act)
  const runPipelined = async (statement: Sql) => {
    const answer = send(statement)
    // The failure is reported at the end. Until then it must not be an unhandled rejection.
    answer.catch(() => {})
    unanswered.push(answer)
    return 0
  }
  const rest = { inTransaction: true, afterCommit } as const
  // Not an accessor, which would turn the object into a dictionary in V8 (40 µs per transaction).
  const pipelined = { ...seeing, run: runPipelined, ...rest } as Mutable<Tx>
  pipelined.pipelined = pipelined
  let endedApart: Promise<Answer> | undefined
  try {
    const result = await work({ ...seeing, ...rest, pipelined })
    await line.begun
    const ending = line.end(isRefusal(result) ? 'rollback' : 'commit', onSent !== undefined)
    if (onSent) endedApart = ending
    onSent?.()
    const { command } = await ending
    await Promise.all(unanswered)
    if (command === 'ROLLBACK' && !isRefusal(result)) {
      throw new Error('nothing was committed: the error of a statement was swallowed')
    }
    if (command === 'COMMIT') for (const act of acts) act()
    return result
  } catch (error) {
    // If the next transaction may have begun, a rollback would be of that one.
    await (endedApart ?? line.end('rollback')).catch((fault: Error) => {
      // A connection that cannot end a transaction is in an unknown state and must never be reused.
      if (!endedApart || !isOfServer(fault)) loan.broken ??= fault
    })
    throw await causeOf(error, unanswered)
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** An error that follows an earlier one says only that the transaction has failed, not why. */
async function causeOf(error: unknown, unanswered: readonly Promise<unknown>[]): Promise<unknown> {
  if (!(error instanceof pg.DatabaseError && error.code === inFailedTransaction)) return error
  const answers = await Promise.allSettled(unanswered)
  return answers.find((answer) => answer.status === 'rejected')?.reason ?? error
}

const inFailedTransaction = '25P02'

/** Prepared like all others, since there are few of them, including those with limits. */
const plain = (text: string): Sql => ({ name: text.toUpperCase(), text, values: [] })

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0

/** The number of bytes that keep the server busy while the next statement is prepared. */
const large = 64 * 1024

/**
 * Sends statements in the order of the calls. Statements that are called in the same tick are sent
 * together, because each write wakes the server's process, which costs more than most statements.
 * The second group waits for the answer to `begin`, which is sent with the first one, because
 * statements after a failed `begin` would be committed one by one.
 */
function openLine(client: pg.PoolClient, { lockWaitMs, statementMs, workMegabytes }: TxOptions) {
  let state: 'opening' | 'open' | 'failed' = 'opening'
  let closed = false
  let isFirst = true
  let piece: PipelinedStatement[] = []
  let bytes = 0

  const sendOff = (): void => {
    if (piece.length === 0 || (state === 'opening' && !isFirst)) return
    const all = piece
    piece = []
    bytes = 0
    isFirst = false
    sendTogether(client, all)
  }
  const put = (statement: Sql): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (piece.length === 0) process.nextTick(sendOff)
      piece.push({ statement: settled(client, statement), resolve, reject })
      for (const value of statement.values) bytes += sizeOf(value)
      if (bytes > large) sendOff()
    })

  const begun = put(plain('begin')).then(
    () => {
      state = 'open'
      sendOff()
    },
    (error: unknown) => {
      state = 'failed'
      const all = piece
      piece = []
      for (const { reject } of all) reject(error)
      throw error
    },
  )
  // The caller of the statement gets the error, if there is one.
  begun.catch(() => {})
  // If it fails, everything after it fails too.
  const set = (setting: string) => void put(plain(`set local ${setting}`)).catch(() => {})
  if (lockWaitMs !== undefined) set(`lock_timeout = ${lockWaitMs}`)
  if (statementMs !== undefined) set(`statement_timeout = ${statementMs}`)
  if (workMegabytes !== undefined) set(`work_mem = '${workMegabytes}MB'`)
  return {
    begun,
    async send(statement: Sql): Promise<Answer> {
      if (closed) throw new Error('a statement came after its transaction had ended')
      if (state === 'failed') await begun
      return put(statement)
    },
    /**
     * Sent together with the last statements, or apart, so that it runs even if one of those fails:
     * afterwards the session is in no transaction, whatever happened.
     */
    end(how: 'commit' | 'rollback', isApart = false): Promise<Answer> {
      closed = true
      if (isApart) sendOff()
      return put(plain(how))
    },
  }
}
