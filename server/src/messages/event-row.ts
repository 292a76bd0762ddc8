import { randomUUID } from 'node:crypto'
import type { Id } from '../platform/ids.ts'
import type { EventRow } from './attempt-queries.ts'

/** What happened to a message, without the far end's words. */
export function eventRow(
  what: { businessId: Id<'business'>; messageId: Id<'message'>; type: string },
  at: Date,
): EventRow {
  return { ...what, id: randomUUID(), at, code: null, words: null, url: null, machine: null }
}
