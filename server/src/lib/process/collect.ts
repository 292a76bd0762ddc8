/** Garbage collections at moments that we know of and V8 does not. */
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Some 50 ms. The process stays as large as it is. */
export function collect(): void {
  collector()()
}

/** As where memory runs out: free pages are given back too. 130 to 230 ms after a load. */
export function collectAll(): void {
  collector()({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}

function collector(): NodeJS.GCFunction {
  // The function is there only for contexts made while the flag is on.
  v8.setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as NodeJS.GCFunction
  v8.setFlagsFromString('--no-expose-gc')
  return gc
}
