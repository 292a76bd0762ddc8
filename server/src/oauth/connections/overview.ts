/** Lists all connections and clients of the installation, for its operator only. */

import type { Db } from '../../lib/db/types.ts'
import type { AddedRedirect, AnyConnection, RegisteredClient } from './overview-queries.ts'
import { selectAllConnections, selectAllowedRedirects, selectClients } from './overview-queries.ts'

/** Usable connections, newest first. */
export function allConnections(db: Db, now: Date): Promise<AnyConnection[]> {
  return selectAllConnections(db, now)
}

/** Clients, newest first, with the number of their live connections. */
export function allClients(db: Db): Promise<RegisteredClient[]> {
  return selectClients(db)
}

/** The rules added by `clients allow`, and those that `clients disable` refuses. */
export function addedRedirects(db: Db): Promise<AddedRedirect[]> {
  return selectAllowedRedirects(db)
}
