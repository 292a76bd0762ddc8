import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { homeName } from '../../../server/src/lib/postgres/home.ts'
import { serviceDatabase, serviceRole } from '../../../server/src/lib/postgres/presence.ts'

/** The address of the service's own embedded database, for other clients. */
export interface Place {
  /** The folder of the unix socket. */
  host: string
  user: string
  database: string
}

export async function placeOf(dataDir: string): Promise<Place> {
  const host = await realpath(path.join(homeName(dataDir), 'run'))
  return { host, user: serviceRole, database: serviceDatabase }
}
