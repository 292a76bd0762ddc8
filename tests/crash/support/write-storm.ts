/**
 * Many clients that write at once. The same people recur, so that rows are created and changed.
 * Each client stops at its first unanswered call.
 */
import type { ToolCaller } from '../../support/clients/tool-caller.ts'
import { importRows, type Write, type WriteLedger } from './write-ledger.ts'

export interface WriteTarget {
  /** One for each client. */
  callers: readonly ToolCaller[]
  forms: readonly string[]
}

/** Clients of each kind; at least half of the submissions are to the first form. */
const clients = { upsert: 6, submission: 6, import: 2 }
export const clientCount = clients.upsert + clients.submission + clients.import

/** Runs until every client has stopped, by an unanswered call or by the signal. */
export async function writeStorm(
  ledger: WriteLedger,
  { callers, forms }: WriteTarget,
  signal: AbortSignal,
): Promise<void> {
  const steps = [
    ...times(clients.upsert, (c) => upserting(ledger, c)),
    ...times(clients.submission, (c) => submitting(ledger, c, forms)),
    ...times(clients.import, (c) => importing(ledger, c)),
  ]
  await Promise.all(
    steps.map(async (next, c) => {
      const caller = callers[c]
      if (!caller) throw new Error('there are fewer callers than clients')
      for (let n = 0; !signal.aborted && (await isAnswered(caller, next(n))); n++);
    }),
  )
}

const times = <T>(count: number, make: (c: number) => T) =>
  Array.from({ length: count }, (_, c) => make(c))

type Next = (n: number) => Write

function upserting(ledger: WriteLedger, c: number): Next {
  return (n) =>
    ledger.enter('upsert', (number) => ({
      email: `upsert-${c}-${n % 5}@example.com`,
      attributes: { number },
    }))
}

function submitting(ledger: WriteLedger, c: number, forms: readonly string[]): Next {
  return (n) =>
    ledger.enter('submission', (number) => ({
      form_id: forms[n % 2 ? 0 : c % forms.length],
      fields: { email: `submission-${c}-${n % 4}@example.com`, number: String(number) },
    }))
}

/** Half of the rows change people from the previous import. */
function importing(ledger: WriteLedger, c: number): Next {
  return (n) =>
    ledger.enter('import', (number) => ({
      each_row: true,
      contacts: times(importRows, (row) => ({
        email: `import-${c}-${(n * importRows) / 2 + row}@example.com`,
        attributes: { number },
      })),
    }))
}

/** Makes the call and stores its answer; returns false if there is none. */
export async function isAnswered(caller: ToolCaller, write: Write): Promise<boolean> {
  const answer = await caller.call(write.operation, write.input).catch(() => undefined)
  const code = String(answer?.body['code'])
  if (!answer || answer.status >= 500 || code === 'unavailable') return false
  if (answer.kind !== 'answer') throw new Error(`write ${write.number} was refused: ${answer.text}`)
  write.answer = answer.body
  return true
}
