/**
 * Releases the memory that a start leaves behind, since nothing in an idle process would cause
 * that. For the memory that a load leaves behind see `trim-memory.ts`.
 */
import { flushCompileCache } from 'node:module'
import { collect } from './collect.ts'

export function collectStartGarbage(): void {
  // Node holds the compiled code of each module until it writes all of it at the end of the
  // process: 4 MB beside V8's own. Written now, the cache also survives a kill.
  flushCompileCache()
  // Loading the modules grows V8's young heap to its full size, and it would stay at that size.
  collect()
}
