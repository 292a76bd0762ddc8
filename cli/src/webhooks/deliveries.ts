/** A listener's handling of events: forwards them, prints a line for each, keeps failed ones. */
import type { CrierEvent } from '@crier-mail/sdk'
import { printEvent } from './event-line.ts'
import { type Attempt, forward, type Receiver } from './forward.ts'

/** As many as the service sends to one webhook at once. */
const atOnce = 8

/** The oldest are dropped first, because a night without a receiver would bring too many. */
const keptRefusals = 100

/** The outcome of one event; only the first two fields if it was shown and not forwarded. */
export interface Outcome extends Partial<Attempt> {
  id: string
  type: string
}

export interface Deliveries {
  deliver(event: CrierEvent): Promise<Outcome>
  /**
   * Delivers several at once, as the service does. Events about one contact, campaign or domain are
   * delivered one after another, in their order.
   */
  deliverAll(events: readonly CrierEvent[]): Promise<void>
  /** Sends failed events again, oldest first. */
  again(): Promise<Outcome[]>
  /** The number of events so far, and of deliveries that failed. */
  counts(): { events: number; refused: number }
}

export function deliveriesTo(receiver: Receiver | undefined, signal: AbortSignal): Deliveries {
  const waiting = new Map<string, CrierEvent>()
  let events = 0
  let refused = 0

  const deliver = async (event: CrierEvent): Promise<Outcome> => {
    const attempt = receiver && (await forward(event, receiver, signal))
    printEvent(event, attempt)
    events++
    if (attempt?.error !== undefined) {
      refused++
      waiting.set(event.id, event)
      const [oldest] = waiting.keys()
      if (waiting.size > keptRefusals && oldest !== undefined) waiting.delete(oldest)
    }
    return { id: event.id, type: event.type, ...attempt }
  }

  return {
    deliver,
    async deliverAll(some) {
      const lines = bySubject(some).values()
      const work = async () => {
        for (const line of lines) for (const event of line) await deliver(event)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    },
    async again() {
      const all = [...waiting.values()]
      waiting.clear()
      const outcomes: Outcome[] = []
      for (const event of all) outcomes.push(await deliver(event))
      return outcomes
    },
    counts: () => ({ events, refused }),
  }
}

/** Node 20, on which the packed command line runs, has no `Map.groupBy`. */
function bySubject(events: readonly CrierEvent[]): Map<string, CrierEvent[]> {
  const lines = new Map<string, CrierEvent[]>()
  for (const event of events) {
    const subject = subjectOf(event)
    const line = lines.get(subject)
    if (line) line.push(event)
    else lines.set(subject, [event])
  }
  return lines
}

/** The subject of an event; an event without one is queued by its type. */
function subjectOf({ type, data }: CrierEvent): string {
  const about = data as { contact_id?: unknown; campaign_id?: unknown; domain?: unknown }
  const subject = about.contact_id ?? about.campaign_id ?? about.domain
  return typeof subject === 'string' ? subject : type
}
