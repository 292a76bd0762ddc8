import type { Db } from '../../lib/db/types.ts'
import { redirectHost } from '../../oauth/clients/redirect-uri.ts'
import { redirectUriOf } from '../../oauth/connections/connections.ts'
import type { Caller } from '../authenticate.ts'
import type { Spelling } from '../call-names.ts'
import { underscoredHosts } from './tools.ts'

/** How tool names are spelled for a connection, decided by the host of its client's redirect. */
export function createSpelling(db: Db, more: readonly string[]) {
  const hosts = new Set([...underscoredHosts, ...more])
  return async ({ principal: { connectionId } }: Caller): Promise<Spelling> => {
    const uri = connectionId === null ? undefined : await redirectUriOf(db, connectionId)
    return uri !== undefined && hosts.has(redirectHost(uri)) ? 'underscored' : 'dotted'
  }
}
