/**
 * The deadline of what a thread is at, in processor time of that thread: on a machine that is
 * busy with others nobody's question ends for what the others do. A thread that does not even
 * say what it has used (it is within one long native call) is stopped by the clock on the wall.
 */
import type { Worker } from 'node:worker_threads'
import { msSince, type ThreadClock, type UnderWay } from './thread-clock.ts'

/** Of Node since 24.6, and not in its types yet. */
type Measured = Worker & { cpuUsage?: () => Promise<NodeJS.CpuUsage> }

export interface WatchedThread {
  worker: Measured
  clock: ThreadClock
}

export interface Watcher {
  /** Undefined for a question that nobody waits for. */
  deadlineMsOf(n: number): number | undefined
  /** The question has kept the thread for long, though it has time left. */
  onLong(n: number): void
  onOver(n: number, usedMs: number): void
}

/** How often it is looked what the thread is at; shorter than deadlines. */
const lookMs = 25
/** After so much, what stands behind a question is better off elsewhere. */
const longMs = 25
/** How long the thread may take to say what it has used. */
const askMs = 250
/** The wall's clock ends a question after so many times its deadline. */
const wallFactor = 10

export function watchDeadline({ worker, clock }: WatchedThread, watcher: Watcher) {
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
    // It has used no more of the processor than the wall's clock went on.
    const left = deadlineMs - at.usedMs - tookMs
    if (left > 0) lookIn(Math.min(left, lookMs))
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

/** Of the question alone, in milliseconds; a thread that is within JavaScript says it at once. */
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
    // It has ended meanwhile, which is heard of elsewhere.
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
