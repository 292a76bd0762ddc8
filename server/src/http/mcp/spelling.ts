import type { Db } from '../../lib/db/types.ts'
import { isLoopback, redirectHost } from '../../oauth/clients/redirect-uri.ts'
import { redirectUriOf } from '../../oauth/connections/connections.ts'
import type { Caller } from '../authenticate.ts'
import type { Spelling } from '../call-names.ts'

/**
 * How tool names are spelled for a client. With underscores, because the models of many hosts
 * accept no dot; with dots for the clients that DOTTED_CLIENTS names: redirect hosts, `localhost`
 * for programs on their user's machine, and `keys`. A bare call, which names no version of MCP, is
 * that of a program written from the contract, and gets the contract's dotted names, unless it
 * comes from a hosted assistant.
 */
export function createSpelling(db: Db, dottedClients: readonly string[]) {
  const dotted = new Set(dottedClients)
  return async ({ principal }: Caller, isBareCall: boolean): Promise<Spelling> => {
    const { connectionId } = principal
    const uri = connectionId === null ? undefined : await redirectUriOf(db, connectionId)
    const client = uri === undefined ? 'keys' : isLoopback(uri) ? 'localhost' : redirectHost(uri)
    const isProgram = client === 'keys' || client === 'localhost'
    return dotted.has(client) || (isBareCall && isProgram) ? 'dotted' : 'underscored'
  }
}
