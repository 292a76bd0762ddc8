/** A sign-in as the person sees it among all of theirs. */
import type { Id } from '../../core/ids.ts'

export interface ListedSession {
  id: Id<'session'>
  createdAt: Date
  lastUsedAt: Date
}
