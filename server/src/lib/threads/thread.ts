/**
 * Runs strangers' work in a thread of its own with a hard deadline: a thread can be stopped in the
 * middle of a loop, which no code within it can guarantee. It starts at the first question and ends
 * after a while without questions, so that an idle service does not hold the memory that the thread
 * loads. Tenants share its time evenly (fair-queue.ts), so only a few milliseconds of work are sent
 * over at once, as one message.
 */

import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import { minutes } from '../time/clock.ts'
import { createFairQueue, type DequeuedItem } from './fair-queue.ts'
import type { TimeBudget } from './time-budget.ts'

/** The reason why there is no answer, and the step that the question had reached. */
export interface Stopped {
  stopped:
    | 'deadline'
    | 'memory'
    | 'closed'
    | 'budget'
    | 'shared budget'
    /** Two questions of the tenant had to be stopped shortly before. */
    | 'after stops'
    | 'full'
    | 'all full'
  step: string | undefined
  /** Seconds after which a retry is worthwhile. */
  retryAfter?: number
}

export interface AskOptions {
  /** The tenant that pays for the time. */
  tenant: string
  /** Milliseconds of the thread's processor time. */
  deadlineMs: number
  /** Called with the time that it took, including our own work. */
  onCost?: (ms: number) => void
}

export interface Thread<Question, Answer> {
  /**
   * Questions of a tenant are answered one by one, in order. The deadline covers the question
   * alone: waiting for others and our own work do not count. When a question has to be stopped, the
   * unanswered ones that were sent over with it are asked again of a new thread. So answering must
   * not do anything that must not be done twice.
   */
  ask(question: Question, options: AskOptions): Promise<Answer | Stopped>
  /** Loads the thread in advance for questions that will come soon. */
  warm(): void
  close(): Promise<void>
}

export interface ThreadQuestion<Question> {
  n: number
  question: Question
}

/** One message to the thread. */
export interface Sent<Question> {
  round: number
  questions: ThreadQuestion<Question>[]
}

/** A message of the thread about the question with that number, and the milliseconds it took. */
export type Word<Answer> = { n: number } & (
  | { say: 'step'; step: string }
  | { say: 'answer'; answer: Answer; ms: number }
  | { say: 'fault'; message: string; ms: number }
  /** The question was recalled before it began. */
  | { say: 'skipped' }
)

export function isStopped(answer: unknown): answer is Stopped {
  return typeof answer === 'object' && answer !== null && 'stopped' in answer
}

interface Waiting<Question, Answer> extends ThreadQuestion<Question>, AskOptions {
  step: string | undefined
  resolve(answer: Answer | Stopped): void
  reject(error: Error): void
}

interface Penalty {
  untilMs: number
  /** After a second stop. */
  isRefused: boolean
}

/** Milliseconds of work that are sent over at once, as far as they can be estimated. */
const sentMs = 25

export function createThread<Question, Answer>(options: ThreadOptions): Thread<Question, Answer> {
  type WaitingQuestion = Waiting<Question, Answer>
  const { budget, mostWaiting, sharedBudget, afterStop } = options
  const queue = createFairQueue<WaitingQuestion>()
  /** The questions that the thread has, by number, in the order of sending. */
  const sent = new Map<number, DequeuedItem<WaitingQuestion>>()
  /** Tenants of whom a question was stopped, those whose time ends first in front. */
  const penalties = new Map<string, Penalty>()
  let inHandMs = 0
  let last = 0
  let round = 1
  let isFilling = false
  let worker: Worker | undefined
  let clock: ThreadClock | undefined
  let watch: { stop(): void } | undefined
  let closed = false
  let idle: NodeJS.Timeout | undefined

  const isBusy = () => sent.size + queue.size > 0

  const rest = () => {
    watch?.stop()
    watch = undefined
    clearTimeout(idle)
    worker?.unref()
    idle = setTimeout(() => void end(), options.idleMs ?? minutes(1))
    idle.unref()
  }

  const work = () => {
    if (watch || !worker || !clock) return
    clearTimeout(idle)
    // The process must not end while a caller waits for an answer.
    worker.ref()
    watch = watchDeadline(
      { worker, clock },
      {
        deadlineMsOf,
        onLong: recall,
        onOver: (n, usedMs) => stop(n, 'deadline', usedMs),
      },
    )
  }

  const deadlineMsOf = (n: number): number | undefined => {
    const item = sent.get(n)?.item
    if (!item || !afterStop || !penalties.has(item.tenant)) return item?.deadlineMs
    return Math.min(item.deadlineMs, afterStop.deadlineMs)
  }

  const endPenalties = () => {
    const now = performance.now()
    for (const [tenant, { untilMs }] of penalties) {
      if (untilMs > now) return
      penalties.delete(tenant)
      queue.endBehind(tenant)
    }
  }

  /** The refusal if the tenant is refused altogether, whatever it asks. */
  const refusedAfterStops = (tenant: string): Stopped | undefined => {
    const penalty = penalties.get(tenant)
    if (!penalty?.isRefused) return undefined
    const retryAfter = Math.ceil((penalty.untilMs - performance.now()) / 1_000)
    return { stopped: 'after stops', step: undefined, retryAfter: Math.max(1, retryAfter) }
  }

  const penalise = (tenant: string) => {
    if (!afterStop) return
    const penalty = penalties.get(tenant)
    if (penalty) {
      penalty.isRefused = true
      return
    }
    penalties.set(tenant, { untilMs: performance.now() + afterStop.ms, isRefused: false })
    queue.setBehind(tenant)
  }

  const overBudget = (tenant: string): Stopped | undefined => {
    const step = undefined
    const own = budget?.secondsUntilLeft(tenant) ?? 0
    if (own > 0) return { stopped: 'budget', step, retryAfter: own }
    const shared = sharedBudget?.(tenant)
    const retryAfter = shared === undefined ? 0 : (budget?.secondsUntilLeft(shared) ?? 0)
    return retryAfter > 0 ? { stopped: 'shared budget', step, retryAfter } : undefined
  }

  /** Recalls the questions that have not begun: others may now be in front of them. */
  const recall = () => {
    if (sent.size > 1) clock?.recall(round++)
  }

  const fill = () => {
    isFilling = false
    if (!worker) {
      // The idle thread ended in the very turn of the loop in which a question came.
      if (queue.size > 0) start()
      return
    }
    endPenalties()
    const questions: ThreadQuestion<Question>[] = []
    while (queue.size > 0 && (sent.size === 0 || inHandMs < sentMs)) {
      const next = queue.take() as DequeuedItem<WaitingQuestion>
      const { n, question, tenant } = next.item
      const refused = overBudget(tenant)
      if (refused) {
        queue.settle(next, 0)
        next.item.resolve({ ...refused, step: next.item.step })
        continue
      }
      sent.set(n, next)
      inHandMs += next.guessMs
      questions.push({ n, question })
    }
    if (questions.length > 0) post(worker, questions)
    if (isBusy()) work()
    else rest()
  }

  /** A question that cannot be copied fails alone, rather than this process with all questions. */
  const post = (to: Worker, questions: ThreadQuestion<Question>[]) => {
    try {
      to.postMessage({ round, questions } satisfies Sent<Question>)
    } catch (error) {
      const [only, ...more] = questions
      if (only && more.length === 0) settle(only.n, 0)?.item.reject(error as Error)
      else for (const entry of questions) post(to, [entry])
    }
  }

  /** Removes the question from those that the thread has, and records its cost. */
  const settle = (n: number, ms: number): DequeuedItem<WaitingQuestion> | undefined => {
    const entry = sent.get(n)
    if (!entry) return undefined
    sent.delete(n)
    inHandMs = sent.size === 0 ? 0 : inHandMs - entry.guessMs
    queue.settle(entry, ms)
    if (ms === 0) return entry
    entry.item.onCost?.(ms)
    budget?.spend(entry.tenant, ms)
    const shared = sharedBudget?.(entry.tenant)
    if (shared !== undefined) budget?.spend(shared, ms)
    const refused = overBudget(entry.tenant)
    if (refused) refuseWaiting(entry.tenant, refused)
    return entry
  }

  const refuseWaiting = (tenant: string, refused: Stopped) => {
    for (const { resolve, step } of queue.remove(tenant)) resolve({ ...refused, step })
  }

  const takeBack = (items: readonly DequeuedItem<WaitingQuestion>[]) => {
    for (const entry of items.toReversed()) queue.putBack(entry)
  }

  const stop = (n: number, stopped: Stopped['stopped'], usedMs: number) => {
    const over = settle(n, usedMs)
    void end()
    takeBack([...sent.keys()].flatMap((number) => settle(number, 0) ?? []))
    if (over) {
      const { tenant, item } = over
      // A short deadline says nothing about the question, which may be answered later.
      penalise(tenant)
      const refused = refusedAfterStops(tenant)
      item.resolve({ stopped, ...refused, step: item.step })
      if (refused) refuseWaiting(tenant, refused)
    }
    // Started at once, so that the next question need not wait for the thread to load.
    start()
  }

  const hear = (words: Word<Answer>[]) => {
    const skipped: DequeuedItem<WaitingQuestion>[] = []
    for (const word of words) {
      if (word.say === 'step') {
        const item = sent.get(word.n)
        if (item) item.item.step = word.step
        continue
      }
      const entry = settle(word.n, word.say === 'skipped' ? 0 : Math.max(word.ms, 0.001))
      if (!entry) continue
      if (word.say === 'skipped') skipped.push(entry)
      else if (word.say === 'answer') entry.item.resolve(word.answer)
      else entry.item.reject(new Error(`a thread failed: ${word.message}`))
    }
    takeBack(skipped)
    fill()
  }

  const start = () => {
    const itsClock = threadClock()
    const started = startThread(options, itsClock)
    worker = started
    clock = itsClock
    round = 1
    const isCurrent = () => worker === started
    // The question it was running, or the first one where none had begun.
    const guilty = () => {
      const { n } = itsClock.read()
      return sent.has(n) ? n : ([...sent.keys()][0] ?? 0)
    }
    const fell = () => {
      const n = guilty()
      stop(n, 'memory', sent.get(n)?.item.deadlineMs ?? 0)
    }
    started.on('message', (words: Word<Answer>[]) => isCurrent() && hear(words))
    started.on('error', (error: NodeJS.ErrnoException) => {
      if (!isCurrent()) return
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        fell()
        return
      }
      // A module that fails to load would also fail for the next question.
      void end()
      for (const question of takeAll()) question.reject(error)
    })
    // After a failure the error event has come first.
    started.on('exit', () => isCurrent() && fell())
    fill()
  }

  const takeAll = (): WaitingQuestion[] => {
    const all = [...[...sent.values()].map(({ item }) => item), ...queue.clear()]
    sent.clear()
    inHandMs = 0
    return all
  }

  const end = async () => {
    clearTimeout(idle)
    watch?.stop()
    watch = undefined
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  const refusalFor = (tenant: string): Stopped | undefined => {
    const step = undefined
    if (closed) return { stopped: 'closed', step }
    endPenalties()
    const refused = refusedAfterStops(tenant) ?? overBudget(tenant)
    if (refused) return refused
    if (queue.sizeOf(tenant) >= mostWaiting.each) return { stopped: 'full', step, retryAfter: 1 }
    if (queue.size >= mostWaiting.all) return { stopped: 'all full', step, retryAfter: 1 }
    return undefined
  }

  return {
    ask(question, asking) {
      const refused = refusalFor(asking.tenant)
      if (refused) return Promise.resolve(refused)
      return new Promise((resolve, reject) => {
        last = (last + 1) & 0x3fffffff || 1
        const row = { n: last, question, ...asking, step: undefined, resolve, reject }
        queue.add(asking.tenant, row)
        if (!worker) start()
        else if (!isFilling) {
          isFilling = true
          setImmediate(fill)
        }
      })
    },
    warm() {
      if (!closed && !worker) start()
    },
    async close() {
      closed = true
      for (const { resolve, step } of takeAll()) resolve({ stopped: 'closed', step })
      await end()
    },
  }
}

/** Exists in Node since 24.6, but not in its types yet. */
type Measured = Worker & { cpuUsage?: () => Promise<NodeJS.CpuUsage> }

interface WatchedThread {
  worker: Measured
  clock: ThreadClock
}

interface Watcher {
  /** Undefined for a question that has no caller any more. */
  deadlineMsOf(n: number): number | undefined
  /** The question has occupied the thread for long, though it has time left. */
  onLong(n: number): void
  onOver(n: number, usedMs: number): void
}

/** The interval between two checks of the thread; shorter than deadlines. */
const lookMs = 25
/** After this time the questions behind this one are better served elsewhere. */
const longMs = 25
/** How long the thread may take to report its time. */
const askMs = 250
/** Wall-clock time ends a question after this many times its deadline. */
const wallFactor = 10

function watchDeadline({ worker, clock }: WatchedThread, watcher: Watcher) {
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const lookIn = (ms: number) => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(look, ms)
  }

  const look = () => {
    const at = clock.read()
    const deadlineMs = at.since === undefined ? undefined : watcher.deadlineMsOf(at.n)
    if (at.since === undefined || deadlineMs === undefined) return lookIn(lookMs)
    const tookMs = msSince(at.since)
    if (tookMs >= longMs) watcher.onLong(at.n)
    // It cannot have used more processor time than wall-clock time has passed.
    const leftMs = deadlineMs - at.usedMs - tookMs
    if (leftMs > 0) lookIn(Math.min(leftMs, lookMs))
    else void judge({ ...at, since: at.since }, deadlineMs)
  }

  const judge = async (at: UnderWay & { since: number }, deadlineMs: number) => {
    const usedMs = await usedBy(worker, at)
    if (isOver) return
    const now = clock.read()
    if (now.n !== at.n || now.since !== at.since) return lookIn(lookMs)
    const tookMs = msSince(at.since)
    if (usedMs === undefined) {
      if (tookMs >= deadlineMs * wallFactor) watcher.onOver(at.n, tookMs)
      else lookIn(askMs)
      return
    }
    if (usedMs >= deadlineMs || tookMs >= deadlineMs * wallFactor) watcher.onOver(at.n, usedMs)
    else lookIn(Math.max(1, deadlineMs - usedMs))
  }

  lookIn(lookMs)
  return {
    stop() {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** The question's own milliseconds. A thread that is within JavaScript reports them at once. */
async function usedBy(
  worker: Measured,
  { cpuAtMs, usedMs }: Pick<UnderWay, 'cpuAtMs' | 'usedMs'>,
): Promise<number | undefined> {
  const tooLong = Promise.withResolvers<undefined>()
  const timer = setTimeout(tooLong.resolve, askMs)
  try {
    const usage = await Promise.race([worker.cpuUsage?.(), tooLong.promise])
    return usage && usedMs + (usage.user + usage.system) / 1_000 - cpuAtMs
  } catch {
    // The thread has ended meanwhile, which its exit event reports.
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

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

/** A question under way: its number, its start, and the time that it used before. */
export interface UnderWay {
  n: number
  /** Milliseconds of `nowMs`'s clock; undefined while our own code is running. */
  since: number | undefined
  /** The thread's processor time in ms at `since`, and the question's time before that. */
  cpuAtMs: number
  usedMs: number
}

/**
 * The state of a thread, in memory that it shares with the thread that waits for it. So a deadline
 * needs no message for each question, and holds while the thread is busy and sends nothing.
 */
export interface ThreadClock {
  readonly memory: SharedArrayBuffer
  /** Begins with question `n`, whose time counts from now. */
  begin(n: number): void
  /** `run`: strangers' work follows. `rest`: our own work follows, which does not count. */
  run(): void
  rest(): void
  read(): UnderWay
  /** Questions sent over in this round or before that have not begun must not begin. */
  recall(round: number): void
  isRecalled(round: number): boolean
}

const cellsOf = { number: 0, time: 1, cpu: 2, used: 3, recalled: 4 } as const
/** Represents a clock that is stopped. */
const still = 0
/** The unit of the cells with processor time, which overflow after days. */
const partsOfMs = 10

export function threadClock(
  memory = new SharedArrayBuffer(4 * Object.keys(cellsOf).length),
): ThreadClock {
  const cells = new Int32Array(memory)
  const { number, time, cpu, used, recalled } = cellsOf
  const run = () => {
    Atomics.store(cells, cpu, cpuParts())
    Atomics.store(cells, time, nowMs() || 1)
  }
  return {
    memory,
    begin(n) {
      // A reader between these stores finds a new question at rest, never one with an old time.
      Atomics.store(cells, time, still)
      Atomics.store(cells, number, n)
      Atomics.store(cells, used, 0)
      run()
    },
    run,
    rest() {
      if (Atomics.load(cells, time) === still) return
      Atomics.store(cells, time, still)
      Atomics.add(cells, used, cpuParts() - Atomics.load(cells, cpu))
    },
    read() {
      const n = Atomics.load(cells, number)
      const since = Atomics.load(cells, time)
      const cpuAtMs = Atomics.load(cells, cpu) / partsOfMs
      const usedMs = Atomics.load(cells, used) / partsOfMs
      const isSame = Atomics.load(cells, number) === n && Atomics.load(cells, time) === since
      return { n, since: isSame && since !== still ? since : undefined, cpuAtMs, usedMs }
    },
    recall: (round) => void Atomics.store(cells, recalled, round),
    isRecalled: (round) => round <= Atomics.load(cells, recalled),
  }
}

/** Processor time that this thread has used, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function cpuParts(): number {
  return Math.floor(cpuMs() * partsOfMs) | 0
}

/** The same in all threads, unlike `performance.now`. It overflows within 50 days. */
export function nowMs(): number {
  const [seconds, nanos] = process.hrtime()
  return (seconds * 1000 + Math.floor(nanos / 1e6)) | 0
}

export function msSince(since: number): number {
  return (nowMs() - since) | 0
}
