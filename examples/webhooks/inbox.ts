/**
 * Separates receiving events from processing them. A receiver must answer within 5 seconds and may
 * get an event twice. One insert solves both: it stores each event once, by its id, and the event
 * is processed after the answer. This inbox is a file of SQLite. A table of your own database does
 * the same.
 */
import { DatabaseSync } from 'node:sqlite'
import type { CrierEvent } from '@crier-mail/sdk'

export interface Inbox {
  /** Stores the event. An event that is stored already changes nothing. */
  add(event: CrierEvent): void
  /** Resolves when the processing that is under way has ended. */
  close(): Promise<void>
}

export interface InboxOptions {
  file: string
  /** Processes one event. If it throws, the event is retried. */
  work(event: CrierEvent): Promise<void>
  /** Milliseconds until a failed event is retried. */
  retryAfter?: number
}

export function openInbox({ file, work, retryAfter = 10_000 }: InboxOptions): Inbox {
  const db = new DatabaseSync(file)
  db.exec(`
    pragma journal_mode = wal;
    create table if not exists events (
      id text primary key,
      body text not null,
      tries integer not null default 0,
      done integer not null default 0
    )
  `)
  const insert = db.prepare('insert into events (id, body) values (?, ?) on conflict do nothing')
  const waiting = db.prepare('select id, body from events where not done order by tries, rowid')
  const tried = db.prepare('update events set tries = tries + 1, done = ? where id = ?')

  let closed = false
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()

  async function workOnAll(): Promise<void> {
    let failed = false
    for (const { id, body } of waiting.all() as { id: string; body: string }[]) {
      if (closed) return
      try {
        await work(JSON.parse(body))
        tried.run(1, id)
      } catch (error) {
        console.error(`${id} failed and will be tried again:`, error)
        tried.run(0, id)
        failed = true
      }
    }
    if (failed) timer = setTimeout(start, retryAfter)
  }

  function start(): void {
    clearTimeout(timer)
    working = working.then(workOnAll)
  }

  // Processes the events that were left when this program last stopped.
  start()
  return {
    add(event) {
      const { changes } = insert.run(event.id, JSON.stringify(event))
      if (changes > 0) start()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await working
      clearTimeout(timer)
      db.close()
    },
  }
}
