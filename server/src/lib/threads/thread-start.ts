/** Starts a thread for thread.ts, with its limits and its data. */

import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ThreadClock } from './thread-clock.ts'
import type { TimeBudget } from './time-budget.ts'

export interface ThreadOptions {
  /** The module that the thread runs. It calls `answerQuestions`. */
  module: URL
  /** The most megabytes of its heap. The thread is stopped beyond that. */
  heapMb: number
  /** The most waiting questions: of one tenant, and of all. */
  mostWaiting: { each: number; all: number }
  /** The budget of thread time. A tenant that has used it up is refused until some is left. */
  budget?: TimeBudget
  /** The name of a second budget that a tenant shares with others, if it does. */
  sharedBudget?: (tenant: string) => string | undefined
  /**
   * What a tenant gets after a question of it was stopped: for `ms`, its questions wait for all
   * others and have this deadline. Until then, a second stop has it refused.
   */
  afterStop?: { ms: number; deadlineMs: number }
  /** Whether it gives way to every other thread of the machine, where the system supports that. */
  givesWay?: boolean
  /** How long it lives on without a question. The default is 1 minute. */
  idleMs?: number
  /** Creates the start data for each thread, which reads it with `threadData`. */
  data?: () => unknown
}

export interface WorkerData {
  clock: SharedArrayBuffer
  givesWay: boolean
  data: unknown
}

/**
 * Megabytes of each half of a thread's young heap. The garbage of its questions dies at once, so
 * more room would only be touched in turn, and stay in use: 16 MB with the flag of `npm start`.
 */
const youngMb = 2

export function startThread(
  { module, heapMb, givesWay = false, data }: ThreadOptions,
  clock: ThreadClock,
): Worker {
  const cache = compileCache()
  const workerData: WorkerData = { clock: clock.memory, givesWay, data: data?.() }
  // The flag is read when a heap is created. The thread's own limit has no effect beside it.
  v8.setFlagsFromString(`--max-semi-space-size=${youngMb}`)
  return new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // The thread can reach nothing of ours but its data: no settings, no flags. In a checkout it
    // reads compiled modules, because stripping their types would occupy megabytes.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    execArgv: [],
    workerData,
  })
}

/** The folder that this process was given. Node adds a subfolder for its version. */
function compileCache(): string | undefined {
  const own = getCompileCacheDir()
  return own === undefined ? undefined : path.dirname(own)
}
