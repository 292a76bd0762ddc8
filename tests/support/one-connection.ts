/**
 * Loaded by every test: fails if a transaction requests a second connection. If as many such
 * transactions ran at once as the pool has connections, they would deadlock.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'

const transaction = new AsyncLocalStorage()
channel('crier.db.transaction').bindStore(transaction, () => isOfService())
channel('crier.db.loan').subscribe(() => {
  if (!transaction.getStore()) return
  const fault = new Error('a transaction asks for a second connection')
  process.stderr.write(`${fault.stack}\n`)
  throw fault
})

/** Whether the service began the transaction; a test may hold a lock in one of its own. */
function isOfService(): boolean {
  const frames = new Error().stack?.split('\n').slice(1) ?? []
  const who = frames.find(
    (frame) => /file:/.test(frame) && !/one-connection|\/lib\/db\/\w+\.ts/.test(frame),
  )
  return !/\.test\.ts|\/tests\//.test(who ?? '')
}
