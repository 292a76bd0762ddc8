/**
 * What a start leaves behind, given back at its end: nothing that an idle process does
 * would ask for it. What a load leaves behind: `give-back.ts`.
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

/** Loading the modules grows V8's young heap to its full size, and it would stay so: 50 ms. */
function collect(): void {
  collector()()
}

/** As where memory runs out, giving back the pages that are free: 130 to 230 ms. */
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
