/** The writes that were requested from the service, and those that it acknowledged. */

export const writeKinds = ['upsert', 'submission', 'import'] as const
export type WriteKind = (typeof writeKinds)[number]

/** One call, identified by its number, which is part of the written data. */
export interface Write {
  number: number
  kind: WriteKind
  operation: string
  input: Record<string, unknown>
  /** Absent without an answer: the write may or may not have been made. */
  answer?: Record<string, unknown>
}

export interface WriteLedger {
  writes: Write[]
  /** Records a call before it is sent. */
  enter(kind: WriteKind, inputOf: (number: number) => Record<string, unknown>): Write
}

/** Rows in each import. */
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
      // Every second write has a key, so that it can be repeated.
      if (number % 2) input['idempotency_key'] = `write ${number}`
      const write = { number, kind, operation: operations[kind], input }
      writes.push(write)
      return write
    },
  }
}
