/**
 * Runs transactions that have to commit one after another. Each begins while the one before it
 * commits, so that the database finds the next statements when it has finished.
 *
 * Each transaction checks by itself, under a lock, that the one before it is saved. It returns false
 * if not, and is then attempted once more, because the one before it may have been repeated.
 */

/** Calls `sent` when all of its statements are on their way. */
export type Attempt = (sent: () => void) => Promise<boolean>

export interface Overlap {
  /** Returns whether the transaction before this one is saved, as soon as the next one may begin. */
  run(attempt: Attempt): Promise<boolean>
  /** Returns whether the last transaction is saved. */
  end(): Promise<boolean>
}

export function createOverlap(): Overlap {
  let last = Promise.resolve(true)
  return {
    async run(attempt) {
      const before = last
      const sent = Promise.withResolvers<void>()
      last = attemptAfter(before, attempt, sent.resolve)
      // Whoever asks next gets the error.
      last.catch(() => {})
      await Promise.race([sent.promise, last.catch(() => {})])
      return before
    },
    end: () => last,
  }
}

async function attemptAfter(
  before: Promise<boolean>,
  attempt: Attempt,
  sent: () => void,
): Promise<boolean> {
  if (await attempt(sent)) return true
  return (await before) && attempt(sent)
}
