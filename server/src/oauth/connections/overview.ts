/** Connections and clients of the whole installation: for its operator alone. */

import type { Db } from '../../lib/db/types.ts'
import type { AnyConnection, RegisteredClient } from './overview-queries.ts'
import { selectAllConnections, selectAllowedRedirects, selectClients } from './overview-queries.ts'

/** Those that can still be used, newest first. */
export function allConnections(db: Db, now: Date): Promise<AnyConnection[]> {
  return selectAllConnections(db, now)
}

/** Newest first, with the number of connections not ended. */
export function allClients(db: Db): Promise<RegisteredClient[]> {
  return selectClients(db)
}

/** The rules that `clients allow` added. */
export function addedRedirects(db: Db): Promise<{ uri: string; createdAt: Date }[]> {
  return selectAllowedRedirects(db)
}
