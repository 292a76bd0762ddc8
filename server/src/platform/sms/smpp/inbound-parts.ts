/**
 * Long texts of people come in parts, in any order. They wait here for one another, and what
 * is not whole in time is handed over as far as it came: a STOP must not wait for ever.
 */
import { minutes } from '../../clock.ts'
import type { ReceivedPart } from './deliver.ts'

export interface InboundParts {
  /** The whole text once its last part has come; undefined while it lacks some. */
  add(part: ReceivedPart): ReceivedPart | undefined
  /** Hands over all that wait, as far as they came; resolves when they have been taken. */
  flush(): Promise<void>
}

interface Waiting {
  first: ReceivedPart
  bodies: (string | undefined)[]
  timer: NodeJS.Timeout
}

const defaultMs = minutes(2)
/** Texts that wait at once; the oldest goes as it is when there are more. */
export const mostWaiting = 1000

export function createInboundParts(
  /** Must not reject. */
  handOver: (text: ReceivedPart) => Promise<void>,
  waitMs: number = defaultMs,
): InboundParts {
  const waiting = new Map<string, Waiting>()
  const end = (key: string): ReceivedPart | undefined => {
    const found = waiting.get(key)
    if (!found) return undefined
    clearTimeout(found.timer)
    waiting.delete(key)
    return { ...found.first, body: found.bodies.join(''), place: undefined }
  }
  const giveUp = async (key: string): Promise<void> => {
    const text = end(key)
    if (text) await handOver(text)
  }
  return {
    add(part) {
      const { place, from, to } = part
      if (!place) return part
      const key = JSON.stringify([from, to, place.reference, place.total])
      let found = waiting.get(key)
      if (!found) {
        const [oldest] = waiting.keys()
        if (oldest !== undefined && waiting.size >= mostWaiting) void giveUp(oldest)
        const timer = setTimeout(() => void giveUp(key), waitMs).unref()
        const bodies = Array.from<string | undefined>({ length: place.total })
        found = { first: part, bodies, timer }
        waiting.set(key, found)
      }
      found.bodies[place.part - 1] = part.body
      return found.bodies.includes(undefined) ? undefined : end(key)
    },
    async flush() {
      await Promise.all(Array.from(waiting.keys(), giveUp))
    },
  }
}
