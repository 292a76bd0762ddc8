/** A session in a person's list of their sessions. */
import type { Id } from '../../core/ids.ts'

export interface ListedSession {
  id: Id<'session'>
  createdAt: Date
  lastUsedAt: Date
}
