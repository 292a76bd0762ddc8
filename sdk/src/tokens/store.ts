/** Storage for a connection between calls. */

import { queue } from '../transport/single-flight.ts'
import type { Connection } from './connection.ts'

/**
 * Stores one connection. Implement it with anything that can store a secret and provides a lock: a
 * row with `select … for update`, a key with a lease.
 */
export interface Store {
  read(): Promise<Connection | undefined>
  /** Replaces the connection completely or not at all; undefined deletes it. Call it inside `exclusive`. */
  write(connection: Connection | undefined): Promise<void>
  /**
   * Runs `work` while no other user of this store, in any process, does.
   * A refresh token rotates on every use, so two refreshes at once would
   * end the connection. Not re-entrant.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** Stores the connection in the memory of this process. */
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
