/** A database that notes the text of each statement: how much is done, whatever time it takes. */
import type { Database, Db, Sql, Tx } from 'crier-server/lib/db/types.ts'

export interface Recorded {
  db: Database
  /** The statements since the last call. */
  taken(): string[]
}

export function recorded(db: Database): Recorded {
  let statements: string[] = []
  const noted =
    <T>(run: (statement: Sql) => Promise<T>) =>
    (statement: Sql) => {
      statements.push(statement.text)
      return run(statement)
    }
  const wrapped = <T extends Db>(inner: T): T =>
    new Proxy(inner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name === 'pipelined') return wrapped(value as Tx)
        if (typeof value !== 'function') return value
        const method = value.bind(target)
        if (name === 'all' || name === 'maybe' || name === 'one' || name === 'run') {
          return noted(method)
        }
        if (name !== 'tx') return method
        return (work: (tx: Tx) => Promise<unknown>, options?: object) =>
          method((tx: Tx) => work(wrapped(tx)), options)
      },
    })
  return {
    db: wrapped(db),
    taken() {
      const sinceThen = statements
      statements = []
      return sinceThen
    },
  }
}
