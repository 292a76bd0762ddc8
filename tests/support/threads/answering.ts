/** A thread for tests of threads: a question says how long it works, and in whose code. */
import { cpuMs } from '../../../server/src/lib/threads/thread.ts'
import { answerQuestions, Later, threadData } from '../../../server/src/lib/threads/thread-side.ts'

export interface TaskForThread {
  n: number
  strangersMs?: number
  /** Milliseconds for which the thread blocks without using the processor. */
  stillMs?: number
  oursMs?: number
  laterMs?: number
}

/** Works for this much CPU time, which takes longer on a busy machine. */
function work(ms: number): void {
  const end = cpuMs() + ms
  while (cpuMs() < end) {}
}

answerQuestions<TaskForThread, string>(
  ({ n, strangersMs = 0, stillMs = 0, oursMs = 0, laterMs }, progress) => {
    work(strangersMs)
    if (stillMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stillMs)
    progress.ours()
    work(oursMs)
    const answer = `${threadData<string>()} ${n}`
    if (laterMs === undefined) return answer
    return new Later(new Promise((resolve) => setTimeout(() => resolve(answer), laterMs)))
  },
)
