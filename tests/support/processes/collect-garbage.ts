/** Collects all unreferenced objects, for tests of what is still referenced. */
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

export function collectGarbage(): void {
  // The function exists only in contexts that are created while the flag is on.
  v8.setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as NodeJS.GCFunction
  v8.setFlagsFromString('--no-expose-gc')
  gc()
}
