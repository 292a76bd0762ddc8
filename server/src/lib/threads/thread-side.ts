/** The thread's side of thread.ts: the code that runs in the thread. */
import os from 'node:os'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { parentPort, type Transferable, workerData } from 'node:worker_threads'
import {
  cpuMs,
  type Sent,
  type ThreadQuestion,
  threadClock,
  type Word,
  type WorkerData,
} from './thread.ts'

export interface Progress {
  /** Marks the work until the next step as our own, which the deadline leaves out. */
  ours(): void
  /** Names the current step, which the caller learns if the deadline ends it. */
  step(name: string): void
  /** Transfers this with the answer instead of copying it. */
  transfer(object: Transferable): void
}

/** An answer that other threads complete, such as the thread pool: the next question begins now. */
export class Later<Answer> {
  readonly answer: Promise<Answer>

  constructor(answer: Promise<Answer>) {
    this.answer = answer
  }
}

/** How long an answer may wait so that it is sent with those behind it. */
const gatherMs = 2

/** The niceness of a thread that gives way: it gets a third of the time of another one. */
const niceness = 5

/** The data that `createThread` was given for each thread. */
export function threadData<Data>(): Data {
  return (workerData as WorkerData).data as Data
}

/** Answers questions one after another. */
export function answerQuestions<Question, Answer>(
  answerTo: (question: Question, progress: Progress) => Answer | Promise<Answer> | Later<Answer>,
): void {
  const { clock: memory, givesWay } = workerData as WorkerData
  const clock = threadClock(memory)
  // On Linux this affects only the thread; elsewhere the same call affects the whole process.
  if (givesWay && process.platform === 'linux') os.setPriority(niceness)
  const questions: (ThreadQuestion<Question> & { round: number })[] = []
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
    // Work before the first step is preparation.
    let isOurs = true
    return {
      ours() {
        isOurs = true
        clock.rest()
      },
      step(step) {
        // Sent at once, because there may never be another message.
        tell({ n, say: 'step', step })
        say()
        if (isOurs) clock.run()
        isOurs = false
      },
      transfer: (transferable) => void transferred.push(transferable),
    }
  }
  const fault = (n: number, error: unknown, ms: number) => {
    tell({ n, say: 'fault', message: error instanceof Error ? error.message : String(error), ms })
  }

  const finish = async (n: number, { answer: later }: Later<Answer>, ms: number) => {
    try {
      const answer = await later
      tell({ n, say: 'answer', answer, ms })
    } catch (error) {
      fault(n, error, ms)
    }
    if (!isAtWork) say()
  }

  const answerOne = async ({ n, question }: ThreadQuestion<Question>) => {
    const from = cpuMs()
    clock.begin(n)
    try {
      const result = answerTo(question, progressOf(n))
      if (result instanceof Later) {
        void finish(n, result, cpuMs() - from)
        // Lets events of finished work arrive, which makes room for the work that waits for it.
        await turnOfLoop()
      } else {
        const answer = result instanceof Promise ? await result : result
        tell({ n, say: 'answer', answer, ms: cpuMs() - from })
      }
    } catch (error) {
      fault(n, error, cpuMs() - from)
    }
    clock.rest()
  }

  const work = async () => {
    isAtWork = true
    for (let entry = questions.shift(); entry; entry = questions.shift()) {
      if (clock.isRecalled(entry.round)) tell({ n: entry.n, say: 'skipped' })
      else await answerOne(entry)
      if (questions.length === 0 || performance.now() - firstAt >= gatherMs) say()
    }
    isAtWork = false
  }

  parentPort?.on('message', ({ round, questions: more }: Sent<Question>) => {
    questions.push(...more.map((entry) => ({ ...entry, round })))
    if (!isAtWork) void work()
  })
}
