/**
 * What a start leaves behind, given back at its end: nothing that an idle process does
 * would ask for it.
 */
import { flushCompileCache } from 'node:module'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

export function collectStartGarbage(): void {
  // Node holds the compiled code of each module until it writes them all, at the process's
  // end: 4 MB beside V8's own. Written now, they are also there after a kill.
  flushCompileCache()
  collect()
}

/** Loading the modules grows V8's young heap to its full size, and it would stay so. */
function collect(): void {
  // The function is there only for contexts made while the flag is on.
  v8.setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  v8.setFlagsFromString('--no-expose-gc')
  gc()
}
