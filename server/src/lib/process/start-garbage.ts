/**
 * What a start leaves behind, given back at its end: nothing that an idle process does
 * would ask for it. What a load leaves behind: `trim-memory.ts`.
 */
import { flushCompileCache } from 'node:module'
import { collect } from './collect.ts'

export function collectStartGarbage(): void {
  // Node holds the compiled code of each module until it writes them all, at the process's
  // end: 4 MB beside V8's own. Written now, they are also there after a kill.
  flushCompileCache()
  // Loading the modules grows V8's young heap to its full size, and it would stay so.
  collect()
}
