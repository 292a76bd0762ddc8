/**
 * How processes on one database learn of each other's jobs within milliseconds. The regular looks
 * of every worker find the jobs of lost notifications.
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
  /** Notifies the other processes without blocking the caller. */
  tell: TellWorker
  /** Starts listening. */
  start(): void
  stop(): Promise<void>
}

export interface NotifierOptions {
  db: Db
  log: Log
  /** A separate connection is opened to it. Undefined for a process that only sends. */
  listenOn: pg.ClientConfig | undefined
  /** Called with undefined where notifications may have been missed. */
  onNews: (news: readonly LaneNews[] | undefined) => void
}

export function createNotifier({ db, log, listenOn, onNews }: NotifierOptions): Notifier {
  const teller = createTeller((news) => notify(db, payloadOf(news)))
  const listener = createListener({
    connection: listenOn,
    db,
    log,
    onPayload: (payload) => onNews(payload === undefined ? undefined : newsIn(payload)),
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
