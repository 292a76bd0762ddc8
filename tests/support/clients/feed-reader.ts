/** A client of the feed: it pages `meta.changes` and stores the cursor. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ToolCaller } from './tool-caller.ts'

export interface FedEvent {
  id: string
  type: string
  created_at: string
  business_id: string
  data: Record<string, unknown>
}

interface Page {
  events: FedEvent[]
  next_cursor: string
  more: boolean
}

export interface FeedReader {
  /** All events so far, in order. */
  readonly events: readonly FedEvent[]
  /** Reads to the current end. */
  readOn(): Promise<void>
  /** Reads on until the condition holds; rejects if that takes too long. */
  readUntil(enough: () => boolean, withinMs: number): Promise<void>
}

/** The event as a webhook has it: a tool has what strangers wrote under `untrusted`. */
function flat(event: FedEvent): FedEvent {
  const { untrusted, ...data } = event.data
  return { ...event, data: { ...data, ...(untrusted as Record<string, unknown>) } }
}

/** `limit`: events on a page; small pages meet more changes between two of them. */
export function feedReader(caller: Pick<ToolCaller, 'get'>, limit = 200): FeedReader {
  const events: FedEvent[] = []
  let cursor: string | undefined
  const readPage = async () => {
    const page = await caller.get<Page>('meta.changes', { limit, ...(cursor && { cursor }) })
    events.push(...page.events.map(flat))
    cursor = page.next_cursor
    return page.more
  }
  const reader: FeedReader = {
    events,
    async readOn() {
      while (await readPage());
    },
    async readUntil(enough, withinMs) {
      const until = performance.now() + withinMs
      for (await reader.readOn(); !enough(); await reader.readOn()) {
        if (performance.now() > until) throw new Error(`the feed stopped at ${events.length}`)
        await sleep(50)
      }
    },
  }
  return reader
}
