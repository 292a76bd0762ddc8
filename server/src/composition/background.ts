/**
 * The background work of a process. While sending is paused, as after a restore, it waits for a
 * person: no mail, webhook or campaign is sent, and queued work stays queued.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sendingPause } from '../core/installation/sending.ts'
import type { Worker } from '../lib/jobs/worker.ts'
import type { AppParts } from './app-parts.ts'

interface Work {
  worker: Worker
  /** Starts the other work that begins with the worker. */
  begin(): void
}

export interface Background {
  start(): Promise<void>
  stop(): Promise<void>
}

/** How often the database is polled for whether a person has started sending. */
const askMs = 1_000

export function createBackground({ db, log }: AppParts, { worker, begin }: Work): Background {
  const stopping = new AbortController()
  let waiting: Promise<void> | undefined
  let isRunning = false
  const run = async () => {
    await worker.start()
    isRunning = true
    begin()
  }
  const wait = async () => {
    while (!stopping.signal.aborted) {
      await sleep(askMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      const paused = stopping.signal.aborted || (await sendingPause(db).catch(() => true))
      if (paused) continue
      log.info('sending.started')
      await run()
      return
    }
  }
  return {
    async start() {
      const pause = await sendingPause(db)
      if (!pause) return run()
      log.warn(pause, 'sending.paused')
      waiting = wait().catch((err) => log.error({ err }, 'sending.start_failed'))
    },
    async stop() {
      stopping.abort()
      await waiting
      if (isRunning) await worker.stop()
    },
  }
}
