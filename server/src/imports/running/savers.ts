/** The two ways to save the chunks of a file one after another. */

import type { Hmac } from '../../core/operation.ts'
import type { BeginNext, Database } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Chunk, endOf, saveChunk } from './chunk.ts'
import { saveSuppressions } from './suppression-chunk.ts'

export interface Saver {
  /** Saves the next chunk. False where the import was stopped, or another worker has it. */
  save(chunk: Chunk): Promise<boolean>
  /** Waits until all chunks are committed. */
  settle(): Promise<boolean>
}

interface SaverDeps {
  clock: Clock
  hmac: Hmac
}

interface SwiftDeps extends SaverDeps {
  /** Receives the byte at which the rows after a committed chunk begin. */
  onCommitted: (nextByte: number) => void
}

const savingOf = ({ plan }: Chunk) => (plan.kind === 'suppressions' ? saveSuppressions : saveChunk)

/**
 * Reads and locks all that a chunk needs at its beginning and waits for no further answer, not even
 * for that of its commit. If an assumption was wrong, the chunk fails, and a careful saver has to
 * save it.
 */
export function swiftSaver(begin: BeginNext, { clock, hmac, onCommitted }: SwiftDeps): Saver {
  let before: { saved: Promise<boolean>; end: number } | undefined
  const settle = async () => {
    if (!before) return true
    const { saved, end } = before
    before = undefined
    if (!(await saved)) return false
    onCommitted(end)
    return true
  }
  return {
    async save(chunk) {
      const saving = { hmac, now: clock.now(), readsAhead: true }
      const { sent, committed } = begin((tx) => savingOf(chunk)(tx, chunk, saving))
      // A chunk that follows a failed one finds that it is not the next: the failure says more.
      const [isSaved] = await Promise.all([settle(), sent.catch(() => undefined)])
      await sent
      before = { saved: committed, end: endOf(chunk) }
      return isSaved
    },
    settle,
  }
}

/** Saves each chunk step by step, in a transaction that is run again after a conflict. */
export function carefulSaver(db: Database, { clock, hmac }: SaverDeps): Saver {
  return {
    save: (chunk) =>
      db.tx((tx) => savingOf(chunk)(tx, chunk, { hmac, now: clock.now(), readsAhead: false })),
    settle: () => Promise.resolve(true),
  }
}
