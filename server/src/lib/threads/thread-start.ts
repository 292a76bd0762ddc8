/** Starts a thread for thread.ts: what it may have, and what it is given. */

import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ThreadClock } from './thread-clock.ts'
import type { TimeBudget } from './time-budget.ts'

export interface ThreadOptions {
  /** The module that the thread runs; it answers by `answerQuestions`. */
  module: URL
  /** Most megabytes of its heap; beyond, the thread is stopped. */
  heapMb: number
  /** Most questions that wait: of one tenant, and of all. */
  mostWaiting: { each: number; all: number }
  /** Of the thread's time; who has used it up is refused until there is some left. */
  budget?: TimeBudget
  /** Gives way to every other thread of the machine, where the system knows such a thing. */
  givesWay?: boolean
  /** How long it lives on without a question; 1 minute. */
  idleMs?: number
  /** What each thread is started with, made anew for it; `threadData` reads it. */
  data?: () => unknown
}

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
  const cache = compileCache()
  const workerData: WorkerData = { clock: clock.memory, givesWay, data: data?.() }
  // Read when a heap is made; a limit of the thread's own does not count beside the flag.
  v8.setFlagsFromString(`--max-semi-space-size=${youngMb}`)
  return new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // Nothing of ours is within reach there but its data: no settings, no flags. Of a checkout the
    // thread reads compiled modules, because stripping their types would keep megabytes.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    execArgv: [],
    workerData,
  })
}

/** The folder that this process was given; Node adds one for its version below it. */
function compileCache(): string | undefined {
  const own = getCompileCacheDir()
  return own === undefined ? undefined : path.dirname(own)
}
