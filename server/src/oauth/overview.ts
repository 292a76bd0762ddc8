/** Connections and clients of the whole installation: for its operator alone. */
import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import { selectAllConnections, selectAllowedRedirects, selectClients } from './overview-queries.ts'

export interface AnyConnection {
  id: Id<'connection'>
  email: string
  /** A stranger's text. */
  clientName: string
  redirectUri: string
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  /** Uses of rotated-out refresh tokens that came too late to be a race. */
  lateReuses: number
  /** Times that the code which made it was sent again. */
  codeReuses: number
}

export interface RegisteredClient {
  id: string
  kind: 'dynamic' | 'document'
  /** A stranger's text. */
  name: string
  redirectUris: string[]
  connections: number
  createdAt: Date
  disabledAt: Date | null
}

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
