/** Transactions on one connection, each of which begins while the one before it commits. */

import type { Loan } from './statements.ts'
import { inTransaction } from './transaction.ts'
import type { BeginNext, Tx } from './types.ts'

export async function inSeries<T>(loan: Loan, body: (begin: BeginNext) => Promise<T>): Promise<T> {
  let last: Promise<unknown> | undefined
  try {
    return await body((work) => {
      const sent = Promise.withResolvers<void>()
      const committed = inTransaction(loan, once(work), { onSent: sent.resolve })
      committed.catch(sent.reject)
      // The caller may have thrown before it waits for them.
      sent.promise.catch(() => {})
      last = committed
      return { sent: sent.promise, committed }
    })
  } finally {
    await last?.catch(() => {})
  }
}

/** Drops the work and the data that it holds as soon as it has begun, and not after its commit. */
function once<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  let left: typeof work | undefined = work
  return (tx) => {
    if (!left) throw new Error('a transaction ran twice')
    const own = left
    left = undefined
    return own(tx)
  }
}
