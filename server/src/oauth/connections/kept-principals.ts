/**
 * A cache of principals. An entry may be used for a call if a database query made after the call
 * arrived reports no change to the principal since it was read. Changes are numbered in the order
 * of their commits (`core/access-changes.ts`).
 */
import type { AccessChange, Subject } from '../../core/access-changes.ts'
import type { Id } from '../../core/ids.ts'
import type { Principal } from '../../core/operation.ts'

/**
 * Milliseconds after which an entry expires, so that a change made by hand in the database takes
 * effect too.
 */
const keptFor = 10_000

/** The most cached items: connections and their businesses count, some 200 bytes each. */
const mostItems = 30_000

interface CachedPrincipal {
  principal: Principal
  readAt: number
}

export function createKept(elapsed: () => number) {
  // In the order in which they were read.
  const all = new Map<Id<'connection'>, CachedPrincipal>()
  let size = 0
  let position = 0

  const remove = (id: Id<'connection'>, { principal }: CachedPrincipal): void => {
    all.delete(id)
    size -= sizeOf(principal)
  }
  const put = (id: Id<'connection'>, principal: Principal, readAt: number): void => {
    const before = all.get(id)
    if (before) remove(id, before)
    all.set(id, { principal, readAt })
    size += sizeOf(principal)
  }
  const removeOldest = (): void => {
    for (const [id, entry] of all) {
      if (size <= mostItems && entry.readAt > elapsed() - keptFor) return
      remove(id, entry)
    }
  }

  return {
    get(id: Id<'connection'>): Principal | undefined {
      const entry = all.get(id)
      return entry && entry.readAt > elapsed() - keptFor ? entry.principal : undefined
    },
    /** The position up to which all changes are known. */
    position: () => position,
    /** Drops the entries that the changes affect, and advances the position. */
    forget(changes: readonly AccessChange[]): void {
      if (changes.length === 0) return
      const subjects = new Set(changes.map(({ subject }) => subject))
      for (const [id, entry] of all) if (isAbout(subjects, id, entry)) remove(id, entry)
      for (const change of changes) position = Math.max(position, change.position)
    },
    /**
     * Call this before reading principals, and call the result with them. If changes arrive in
     * between, they may have happened after the read and will not be reported again, so the
     * principals are not cached.
     */
    keeper() {
      const [from, readAt] = [position, elapsed()]
      return (found: ReadonlyMap<Id<'connection'>, Principal>): void => {
        if (position !== from) return
        for (const [id, principal] of found) put(id, principal, readAt)
        removeOldest()
      }
    },
  }
}

const sizeOf = ({ businesses }: Principal) => 1 + businesses.length

function isAbout(
  subjects: ReadonlySet<Subject>,
  id: Id<'connection'>,
  { principal: { userId, businesses } }: CachedPrincipal,
): boolean {
  return (
    subjects.has(id) ||
    subjects.has(userId) ||
    businesses.some((business) => subjects.has(business.id))
  )
}
