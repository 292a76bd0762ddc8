import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/ids.ts'

export interface EventRow {
  businessId: Id<'business'>
  messageId: Id<'message'>
  id: string
  type: string
  at: Date
  code: string | null
  words: string | null
  url: string | null
  machine: boolean | null
}

/** Builds an event of a message that has no reply of a remote server. */
export function eventRow(
  message: { businessId: Id<'business'>; messageId: Id<'message'>; type: string },
  at: Date,
): EventRow {
  return { ...message, id: randomUUID(), at, code: null, words: null, url: null, machine: null }
}
