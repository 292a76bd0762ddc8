/** Transactions on one connection, each of which begins while the one before it commits. */

import type { Loan } from './statements.ts'
import { inTransaction } from './transaction.ts'
import type { BeginNext } from './types.ts'

export async function inSeries<T>(loan: Loan, body: (begin: BeginNext) => Promise<T>): Promise<T> {
  let last: Promise<unknown> | undefined
  try {
    return await body((work) => {
      const sent = Promise.withResolvers<void>()
      const committed = inTransaction(loan, work, { onSent: sent.resolve })
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
