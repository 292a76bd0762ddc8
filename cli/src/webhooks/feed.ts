/** The event feed as a stream that survives a server's restart and a lost network. */
import { CrierError, type CrierEvent } from '@crier-mail/sdk'

export interface Page {
  events: CrierEvent[]
  next_cursor: string
  more: boolean
}

export interface Feed {
  /** The page after the cursor. */
  read(cursor: string): Promise<Page>
  /** Resolves after this many milliseconds; rejects when the listener stops. */
  wait(milliseconds: number): Promise<void>
  say(line: string): void
}

/** Milliseconds between two polls without events. A token may make 600 requests a minute. */
const idle = { first: 500, longest: 2_000 }
/** Milliseconds between two retries while the server is unreachable. */
const away = { first: 1_000, longest: 30_000 }

/** Temporary errors: a restart of the server, a proxy's response for it, a lost network. */
const passing = new Set([
  'network',
  'timeout',
  'unavailable',
  'internal',
  'bad_response',
  'rate_limited',
])

/** Yields pages in order, each once, endlessly. Rejects for errors that a retry cannot fix. */
export async function* follow(feed: Feed, from: string): AsyncGenerator<Page, never> {
  let cursor = from
  let pause = idle.first
  for (;;) {
    const page = await steadyPage(feed, cursor)
    yield page
    cursor = page.next_cursor
    if (page.more) continue
    pause = page.events.length > 0 ? idle.first : Math.min(pause * 2, idle.longest)
    await feed.wait(pause)
  }
}

async function steadyPage(feed: Feed, from: string): Promise<Page> {
  let cursor = from
  let pause = away.first
  for (;;) {
    try {
      const page = await feed.read(cursor)
      if (pause > away.first) feed.say('The server is back; going on where it stopped.')
      return page
    } catch (error) {
      if (!(error instanceof CrierError)) throw error
      const oldest = error.code === 'cursor_expired' && error.data['oldest_cursor']
      if (typeof oldest === 'string') {
        feed.say('Events behind the last one seen are gone; going on from the oldest there is.')
        cursor = oldest
      } else if (passing.has(error.code)) {
        const wait = Math.max(pause, (error.retryAfter ?? 0) * 1000)
        feed.say(`${error.message} Trying again in ${wait / 1000} s.`)
        await feed.wait(wait)
        pause = Math.min(pause * 2, away.longest)
      } else throw error
    }
  }
}
