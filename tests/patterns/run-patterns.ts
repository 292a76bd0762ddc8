/** Runs patterns in a thread that is terminated when one of them does not finish. */
import { Worker } from 'node:worker_threads'
import type { HostileText } from './hostile-texts.ts'
import type { PatternProgress, PatternTask, Slowest } from './pattern-task.ts'

/** Milliseconds without a message of the thread, after which its text counts as endless. */
const silenceMs = 10_000

export type Outcome = Slowest | { stuck: HostileText; length: number }

/** The outcome of each task, in their order. `patienceMs` is for patterns that are known to be slow. */
export async function runPatterns(
  tasks: readonly PatternTask[],
  { patienceMs = silenceMs }: { patienceMs?: number } = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (outcomes.length < tasks.length) {
    const left = tasks.map((task, at) => ({ at, task })).slice(outcomes.length)
    await new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./pattern-thread.ts', import.meta.url), {
        workerData: left,
        // A pattern that goes back needs the stack, whatever the thread has used of it.
        resourceLimits: { stackSizeMb: 16 },
      })
      let last: PatternProgress | undefined
      let timer: NodeJS.Timeout | undefined
      const look = () => {
        if (last && 'text' in last) outcomes[last.at] = { stuck: last.text, length: last.length }
        void worker.terminate()
      }
      worker.on('message', (said: PatternProgress) => {
        last = said
        clearTimeout(timer)
        timer = setTimeout(look, patienceMs)
        if ('done' in said) outcomes[said.at] = said.done
      })
      worker.on('error', reject)
      worker.on('exit', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
  return outcomes
}
