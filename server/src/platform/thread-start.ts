/** Starts a thread for thread.ts: what it may have, and what it is given. */
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ThreadOptions } from './thread.ts'
import type { ThreadClock } from './thread-clock.ts'

export interface WorkerData {
  clock: SharedArrayBuffer
  givesWay: boolean
  data: unknown
}

/**
 * Megabytes of each half of a thread's young heap. What its questions leave behind dies at
 * once, so that more room would only be touched in turn, and kept: 16 MB with the flag of
 * `npm start`.
 */
const youngMb = 2

export function startThread(
  { module, heapMb, givesWay = false, data }: ThreadOptions,
  clock: ThreadClock,
): Worker {
  const workerData: WorkerData = { clock: clock.memory, givesWay, data: data?.() }
  // Read when a heap is made; a limit of the thread's own does not count beside the flag.
  v8.setFlagsFromString(`--max-semi-space-size=${youngMb}`)
  return new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // Nothing of ours is within reach there but its data: no settings, no flags.
    env: {},
    execArgv: [],
    workerData,
  })
}
