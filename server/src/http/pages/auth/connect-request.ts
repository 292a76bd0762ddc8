import type { LinkRequest, MagicLink } from '../../../accounts/sign-in/magic-link.ts'
import type { Scope } from '../../../core/operation.ts'
import type { AuthorizationRequest } from '../../../oauth/authorize/authorize.ts'
import { destinationOf } from '../shared/words.ts'

/** The request and the ticked scopes, as they are stored with a `connect` link. */
export interface ConnectRequest extends LinkRequest {
  leadsTo: string
  authorization: AuthorizationRequest
  scopes: readonly Scope[]
  /** Absent in links that are older than this limit. */
  transactionalPerDay?: number
}

export function connectRequest(
  authorization: AuthorizationRequest,
  scopes: readonly Scope[],
  transactionalPerDay: number,
): ConnectRequest {
  const leadsTo = destinationOf(authorization.redirectUri).place
  return { leadsTo, authorization, scopes, transactionalPerDay }
}

export function connectRequestOf(link: MagicLink): ConnectRequest {
  if (link.purpose !== 'connect') throw new Error('only a connect link holds a request')
  return link.request as ConnectRequest
}
