/**
 * Work of strangers' making, in a thread of its own with a hard deadline: a thread can be
 * stopped in the middle of a loop, which nothing within it can promise. It is started at the
 * first question and ends when nobody has asked for a while, so that an idle service does not
 * hold what the thread loads. What is asked in one turn of the loop goes over as one message.
 */
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import { minutes } from './clock.ts'
import { msSince, type ThreadClock, threadClock } from './thread-clock.ts'

export interface ThreadOptions {
  /** The module that the thread runs; it answers by `answerQuestions`. */
  module: URL
  /** Most megabytes of its heap; beyond, the thread is stopped. */
  heapMb: number
  /** How long it lives on without a question; 1 minute. */
  idleMs?: number
  /** What each thread is started with, made anew for it; `threadData` reads it. */
  data?: () => unknown
}

/** Why there is no answer, and the step that the question had come to. */
export interface Stopped {
  stopped: 'deadline' | 'memory' | 'closed'
  step: string | undefined
}

export interface Thread<Question, Answer> {
  /**
   * Questions are answered one by one, in order. The deadline is that of the question alone:
   * waiting for others and work of our own do not count. The others that were asked before a
   * question had to be stopped, and are not answered yet, are asked again of a new thread: so
   * answering may do nothing that must not be done twice.
   */
  ask(question: Question, deadlineMs: number): Promise<Answer | Stopped>
  /** For what will be asked soon: has it load what it needs meanwhile. */
  warm(): void
  close(): Promise<void>
}

export interface Asked<Question> {
  n: number
  question: Question
}

/** What the thread says, of the question with that number. */
export type Word<Answer> = { n: number } & (
  | { say: 'step'; step: string }
  | { say: 'answer'; answer: Answer }
  | { say: 'fault'; message: string }
)

export interface WorkerData {
  clock: SharedArrayBuffer
  data: unknown
}

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

/** How often it is looked whether the time of a question has begun; shorter than deadlines. */
const lookMs = 50

/**
 * Megabytes of each half of a thread's young heap. What its questions leave behind dies at
 * once, so that more room would only be touched in turn, and kept: 16 MB with the flag of
 * `npm start`.
 */
const youngMb = 2

export function createThread<Question, Answer>(options: ThreadOptions): Thread<Question, Answer> {
  /** By their numbers, in the order they were asked in. */
  const waiting = new Map<number, Waiting<Question, Answer>>()
  let unsent: Asked<Question>[] = []
  let last = 0
  let worker: Worker | undefined
  let clock: ThreadClock | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(look, lookMs)
  }

  const look = () => {
    const { n, since } = clock?.read() ?? { n: 0, since: undefined }
    const asked = waiting.get(n)
    const left = asked && since !== undefined ? asked.deadlineMs - msSince(since) : lookMs
    if (left <= 0) stop(n, 'deadline')
    else timer = setTimeout(look, left)
  }

  const rest = () => {
    clearTimeout(timer)
    worker?.unref()
    timer = setTimeout(() => void end(), options.idleMs ?? minutes(1))
    timer.unref()
  }

  const stop = (n: number, stopped: Stopped['stopped']) => {
    const asked = waiting.get(n)
    waiting.delete(n)
    asked?.resolve({ stopped, step: asked.step })
    void end()
    // Whoever comes next need not wait until another one has loaded.
    start()
    if (waiting.size > 0) watch()
    else rest()
  }

  const hear = (words: Word<Answer>[]) => {
    for (const word of words) {
      const asked = waiting.get(word.n)
      if (!asked) continue
      if (word.say === 'step') {
        asked.step = word.step
        continue
      }
      waiting.delete(word.n)
      if (word.say === 'answer') asked.resolve(word.answer)
      else asked.reject(new Error(`a thread failed: ${word.message}`))
    }
    if (waiting.size === 0) rest()
  }

  const start = () => {
    const itsClock = threadClock()
    const data: WorkerData = { clock: itsClock.memory, data: options.data?.() }
    // Read when a heap is made; a limit of the thread's own does not count beside the flag.
    v8.setFlagsFromString(`--max-semi-space-size=${youngMb}`)
    const started = new Worker(options.module, {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
      // Nothing of ours is within reach there but its data: no settings, no flags.
      env: {},
      execArgv: [],
      workerData: data,
    })
    worker = started
    clock = itsClock
    const isCurrent = () => worker === started
    // What it was at; where it had not begun, whoever is first.
    const guilty = () => {
      const { n } = itsClock.read()
      return waiting.has(n) ? n : ([...waiting.keys()][0] ?? 0)
    }
    started.on('message', (words: Word<Answer>[]) => isCurrent() && hear(words))
    started.on('error', (error: NodeJS.ErrnoException) => {
      if (!isCurrent()) return
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        stop(guilty(), 'memory')
        return
      }
      // A module that does not load would not load for the next one either.
      void end()
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
    })
    // Where it failed, the error has come before.
    started.on('exit', () => isCurrent() && stop(guilty(), 'memory'))
    unsent = [...waiting].map(([n, { question }]) => ({ n, question }))
    send()
  }

  const send = () => {
    if (unsent.length > 0) worker?.postMessage(unsent)
    unsent = []
  }

  const end = async () => {
    clearTimeout(timer)
    const ended = worker
    worker = undefined
    unsent = []
    await ended?.terminate()
  }

  return {
    ask(question, deadlineMs) {
      if (closed) return Promise.resolve({ stopped: 'closed', step: undefined })
      return new Promise((resolve, reject) => {
        last = (last + 1) & 0x3fffffff || 1
        waiting.set(last, { question, deadlineMs, step: undefined, resolve, reject })
        if (!worker) start()
        else if (unsent.push({ n: last, question }) === 1) setImmediate(send)
        if (waiting.size > 1) return
        // A process does not end while somebody waits for an answer.
        worker?.ref()
        watch()
      })
    },
    warm() {
      if (closed || worker) return
      start()
      rest()
    },
    async close() {
      closed = true
      for (const { resolve, step } of waiting.values()) resolve({ stopped: 'closed', step })
      waiting.clear()
      await end()
    },
  }
}
