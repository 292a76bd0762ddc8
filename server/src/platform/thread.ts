/**
 * Work of strangers' making, in a thread of its own with a hard deadline: a thread can be
 * stopped in the middle of a loop, which nothing within it can promise. It is started at the
 * first question and ends when nobody has asked for a while, so that an idle service does not
 * hold what the thread loads.
 */
import { Worker } from 'node:worker_threads'
import { minutes } from './clock.ts'

export interface ThreadOptions {
  /** The module that the thread runs; it answers by `answerQuestions`. */
  module: URL
  /** Most megabytes of its heap; beyond, the thread is stopped. */
  heapMb: number
  /** How long it lives on without a question; 1 minute. */
  idleMs?: number
}

/** Why there is no answer, and the step that the question had come to. */
export interface Stopped {
  stopped: 'deadline' | 'memory' | 'closed'
  step: string | undefined
}

export interface Thread<Question, Answer> {
  /**
   * Questions are answered one by one, in order. The deadline is that of the question alone:
   * waiting for others and the loading of our own modules do not count. Those that wait
   * behind a question which has to be stopped are asked again of a new thread.
   */
  ask(question: Question, deadlineMs: number): Promise<Answer | Stopped>
  close(): Promise<void>
}

/** What the thread says. */
export type Word<Answer> =
  | { say: 'ready' }
  | { say: 'loading' }
  | { say: 'step'; step: string }
  | { say: 'answer'; answer: Answer }
  | { say: 'fault'; message: string }

export function isStopped(answer: unknown): answer is Stopped {
  return typeof answer === 'object' && answer !== null && 'stopped' in answer
}

interface Waiting<Question, Answer> {
  question: Question
  deadlineMs: number
  step: string | undefined
  resolve(answer: Answer | Stopped): void
  reject(error: Error): void
}

export function createThread<Question, Answer>(options: ThreadOptions): Thread<Question, Answer> {
  const waiting: Waiting<Question, Answer>[] = []
  let worker: Worker | undefined
  let ready = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const watch = () => {
    clearTimeout(timer)
    const first = waiting[0]
    if (!first) {
      worker?.unref()
      timer = setTimeout(() => void end(), options.idleMs ?? minutes(1))
      timer.unref()
    } else if (ready) {
      timer = setTimeout(() => overdue(first), first.deadlineMs)
    }
  }

  /** Answers that came while this process itself was busy are read before anything is stopped. */
  const overdue = (first: Waiting<Question, Answer>) => {
    setImmediate(() =>
      setImmediate(() => {
        if (waiting[0] === first) stopFirst('deadline')
      }),
    )
  }

  const stopFirst = (stopped: Stopped['stopped']) => {
    const first = waiting.shift()
    first?.resolve({ stopped, step: first.step })
    void end()
    // Whoever comes next need not wait until another one has loaded.
    start()
    watch()
  }

  const hear = (word: Word<Answer>) => {
    if (word.say === 'ready') {
      ready = true
      watch()
      return
    }
    const first = waiting[0]
    if (!first) return
    if (word.say === 'loading') {
      clearTimeout(timer)
      return
    }
    if (word.say === 'step') {
      if (first.step === undefined) watch()
      first.step = word.step
      return
    }
    waiting.shift()
    if (word.say === 'answer') first.resolve(word.answer)
    else first.reject(new Error(`a thread failed: ${word.message}`))
    watch()
  }

  const start = () => {
    const started = new Worker(options.module, {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
      // Nothing of ours is within reach there: no settings, no flags.
      env: {},
      execArgv: [],
    })
    worker = started
    ready = false
    const isCurrent = () => worker === started
    started.on('message', (word: Word<Answer>) => isCurrent() && hear(word))
    started.on('error', (error: NodeJS.ErrnoException) => {
      if (!isCurrent()) return
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        stopFirst('memory')
        return
      }
      // A module that does not load would not load for the next one either.
      void end()
      for (const one of waiting.splice(0)) one.reject(error)
    })
    // Where it failed, the error has come before.
    started.on('exit', () => isCurrent() && stopFirst('memory'))
    for (const { question } of waiting) started.postMessage(question)
  }

  const end = async () => {
    clearTimeout(timer)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  return {
    ask(question, deadlineMs) {
      if (closed) return Promise.resolve({ stopped: 'closed', step: undefined })
      return new Promise((resolve, reject) => {
        waiting.push({ question, deadlineMs, step: undefined, resolve, reject })
        if (!worker) start()
        else worker.postMessage(question)
        // A process does not end while somebody waits for an answer.
        worker?.ref()
        if (waiting.length === 1) watch()
      })
    },
    async close() {
      closed = true
      for (const { resolve, step } of waiting.splice(0)) resolve({ stopped: 'closed', step })
      await end()
    },
  }
}
