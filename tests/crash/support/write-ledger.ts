/** What the service was asked to write, and what it acknowledged. */

export const writeKinds = ['upsert', 'submission', 'import'] as const
export type WriteKind = (typeof writeKinds)[number]

/** One call; it is known again by its number, which is in what it writes. */
export interface Write {
  number: number
  kind: WriteKind
  operation: string
  input: Record<string, unknown>
  /** Absent where none came: it may have been made or not. */
  answer?: Record<string, unknown>
}

export interface WriteLedger {
  writes: Write[]
  /** Enters a call before it is sent. */
  enter(kind: WriteKind, inputOf: (number: number) => Record<string, unknown>): Write
}

/** Rows of each import. */
export const importRows = 40

const operations: Record<WriteKind, string> = {
  upsert: 'contact.upsert',
  submission: 'form.submit',
  import: 'contact.import',
}

export function newWriteLedger(): WriteLedger {
  const writes: Write[] = []
  return {
    writes,
    enter(kind, inputOf) {
      const number = writes.length
      const input = inputOf(number)
      // Every other one can be asked for again.
      if (number % 2) input['idempotency_key'] = `write ${number}`
      const write = { number, kind, operation: operations[kind], input }
      writes.push(write)
      return write
    },
  }
}
