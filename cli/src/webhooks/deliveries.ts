/** What a listener does with events: forwards them, prints a line for each, keeps what was refused. */
import type { CrierEvent } from '@crier-mail/sdk'
import { printEvent } from './event-line.ts'
import { type Attempt, forward, type Receiver } from './forward.ts'

/** As many as the service sends to one webhook at once. */
const atOnce = 8

/** The oldest are forgotten first: no need to keep all that a night without a receiver brings. */
const keptRefusals = 100

/** What became of one event; only the first two where it was shown and not forwarded. */
export interface Outcome extends Partial<Attempt> {
  id: string
  type: string
}

export interface Deliveries {
  deliver(event: CrierEvent): Promise<Outcome>
  /**
   * Several at once, as the service sends them; those about one contact, form or campaign one
   * after another, in their order.
   */
  deliverAll(events: readonly CrierEvent[]): Promise<void>
  /** Sends again what was refused, oldest first. */
  again(): Promise<Outcome[]>
  /** Events so far, and deliveries that failed. */
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
      const lines = Map.groupBy(some, subjectOf).values()
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

/** What an event is about; one that is about nothing in particular stands in line by its type. */
function subjectOf({ type, data }: CrierEvent): string {
  const about = data as { contact_id?: unknown; campaign_id?: unknown; domain?: unknown }
  const subject = about.contact_id ?? about.campaign_id ?? about.domain
  return typeof subject === 'string' ? subject : type
}
