/**
 * The deadline of a thread's question, in processor time of that thread, so that no question ends
 * because the machine is busy with other work. A thread that does not even report its time (it is
 * within one long native call) is stopped by wall-clock time.
 */
import type { Worker } from 'node:worker_threads'
import { msSince, type ThreadClock, type UnderWay } from './thread-clock.ts'

/** Exists in Node since 24.6, but not in its types yet. */
type Measured = Worker & { cpuUsage?: () => Promise<NodeJS.CpuUsage> }

export interface WatchedThread {
  worker: Measured
  clock: ThreadClock
}

export interface Watcher {
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
    // It cannot have used more processor time than wall-clock time has passed.
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
