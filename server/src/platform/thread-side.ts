/** The other side of thread.ts: what runs in the thread. */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { parentPort, type Transferable, workerData } from 'node:worker_threads'
import type { Asked, Word, WorkerData } from './thread.ts'
import { threadClock } from './thread-clock.ts'

export interface Progress {
  /** Says that what follows, until the next step, is work of our own: the deadline leaves it out. */
  ours(): void
  /** Names what is done now; where the deadline ends it, this is what the caller is told. */
  step(name: string): void
  /** Has this go over with the answer in place of a copy. */
  transfer(one: Transferable): void
}

/** An answer that others finish, such as the thread pool: the next question need not wait. */
export class Later<Answer> {
  readonly answer: Promise<Answer>

  constructor(answer: Promise<Answer>) {
    this.answer = answer
  }
}

/** How long an answer may wait for those behind it. */
const gatherMs = 2

/** What `createThread` was given for each thread. */
export function threadData<Data>(): Data {
  return (workerData as WorkerData).data as Data
}

/** Answers one question after another. */
export function answerQuestions<Question, Answer>(
  answerTo: (question: Question, progress: Progress) => Answer | Promise<Answer> | Later<Answer>,
): void {
  const clock = threadClock((workerData as WorkerData).clock)
  const asked: Asked<Question>[] = []
  let words: Word<Answer>[] = []
  let transferred: Transferable[] = []
  let firstAt = 0
  let isAtWork = false

  const say = () => {
    if (words.length > 0) parentPort?.postMessage(words, transferred)
    words = []
    transferred = []
  }
  const tell = (word: Word<Answer>) => {
    if (words.push(word) === 1) firstAt = performance.now()
  }
  const progressOf = (n: number): Progress => {
    // What comes before the first step is preparation.
    let isOurs = true
    return {
      ours() {
        isOurs = true
        clock.rest()
      },
      step(step) {
        // At once: the next word may never come.
        tell({ n, say: 'step', step })
        say()
        if (isOurs) clock.run()
        isOurs = false
      },
      transfer: (one) => void transferred.push(one),
    }
  }
  const fault = (n: number, error: unknown) => {
    tell({ n, say: 'fault', message: error instanceof Error ? error.message : String(error) })
  }

  const finish = async (n: number, { answer: later }: Later<Answer>) => {
    try {
      const answer = await later
      tell({ n, say: 'answer', answer })
    } catch (error) {
      fault(n, error)
    }
    if (!isAtWork) say()
  }

  const work = async () => {
    isAtWork = true
    for (let one = asked.shift(); one; one = asked.shift()) {
      const { n, question } = one
      clock.begin(n)
      try {
        const answer = answerTo(question, progressOf(n))
        if (answer instanceof Later) {
          void finish(n, answer)
          // What ended meanwhile is heard of, and makes room for what waits for it.
          await turnOfLoop()
        } else tell({ n, say: 'answer', answer: answer instanceof Promise ? await answer : answer })
      } catch (error) {
        fault(n, error)
      }
      clock.rest()
      if (asked.length === 0 || performance.now() - firstAt >= gatherMs) say()
    }
    isAtWork = false
  }

  parentPort?.on('message', (more: Asked<Question>[]) => {
    asked.push(...more)
    if (!isAtWork) void work()
  })
}
