/**
 * Passes news on to the other processes: the first at once, later ones together. However many
 * transactions commit, one notification is sent at a time and only few in a second.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LaneNews, TellWorker } from '../jobs/enqueue.ts'
import { lanesOfPayload } from './lane-news.ts'

/** Milliseconds between two notifications of a process. */
export const gapMs = 10

/** The most lanes that wait to be sent. Regular looks of the other processes find the rest. */
export const mostLanes = 2_000

export interface Teller {
  tell: TellWorker
  /** Resolves when all accepted news has been sent, or has failed. */
  stop(): Promise<void>
}

/** `send` may fail, since the other processes find the jobs at their next look. */
export function createTeller(send: (news: LaneNews[]) => Promise<unknown>): Teller {
  const waiting = new Map<string, LaneNews>()
  let sending: Promise<void> | undefined
  // News is told within transactions, whose context must not last beyond them.
  const outside = AsyncLocalStorage.snapshot()

  const sendAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      const next = [...waiting.entries()].slice(0, lanesOfPayload)
      for (const [key] of next) waiting.delete(key)
      await send(next.map(([, news]) => news)).catch(() => {})
      await sleep(gapMs)
    }
    sending = undefined
  }

  return {
    tell(news) {
      for (const lane of news) {
        const key = `${lane.shard} ${lane.laneId}`
        const cached = waiting.get(key)
        if (!cached && waiting.size >= mostLanes) break
        if (!cached || lane.dueAt < cached.dueAt) waiting.set(key, lane)
      }
      if (waiting.size > 0) sending ??= outside(sendAll)
    },
    async stop() {
      await sending
    },
  }
}
