/**
 * How processes on one database hear of one another's jobs within milliseconds. What is lost on
 * the way is found by the looks that every worker takes anyway.
 */
import type pg from 'pg'
import type { Db } from '../db/types.ts'
import type { LaneNews, TellWorker } from '../jobs/enqueue.ts'
import type { Log } from '../process/log.ts'
import { newsIn, payloadOf } from './lane-news.ts'
import { createListener } from './listener.ts'
import { notify } from './queries.ts'
import { createTeller } from './teller.ts'

export interface Notifier {
  /** Tells the other processes, and keeps nobody waiting. */
  tell: TellWorker
  /** Begins to listen. */
  start(): void
  stop(): Promise<void>
}

export interface NotifierOptions {
  db: Db
  log: Log
  /** A connection of its own is opened to it; undefined for a process that only tells. */
  listenOn: pg.ClientConfig | undefined
  /** Undefined where some may have been missed. */
  heard: (news: readonly LaneNews[] | undefined) => void
}

export function createNotifier({ db, log, listenOn, heard }: NotifierOptions): Notifier {
  const teller = createTeller((news) => notify(db, payloadOf(news)))
  const listener = createListener({
    connection: listenOn,
    db,
    log,
    heard: (payload) => heard(payload === undefined ? undefined : newsIn(payload)),
  })
  return {
    tell: teller.tell,
    start: listener.start,
    async stop() {
      await listener.stop()
      await teller.stop()
    },
  }
}
