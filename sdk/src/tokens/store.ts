/** Where a connection is kept between calls. */

import { queue } from '../transport/single-flight.ts'
import type { Connection } from './connection.ts'

/**
 * A place for one connection. Implement it over anything that can hold a secret
 * and exclude others: a row with `select … for update`, a key with a lease.
 */
export interface Store {
  read(): Promise<Connection | undefined>
  /** Replaces what is kept, wholly or not at all; undefined forgets it. Call it inside `exclusive`. */
  write(connection: Connection | undefined): Promise<void>
  /**
   * Runs `work` while nobody else who shares this store, in any process, runs
   * theirs. A refresh token rotates on every use, so two refreshes at once would
   * end the connection. Not re-entrant.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** Keeps the connection in this process alone; it is gone when the process ends. */
export function memoryStore(connection?: Connection): Store {
  let kept = connection
  return {
    read: async () => kept,
    write: async (next) => {
      kept = next
    },
    exclusive: queue(),
  }
}
