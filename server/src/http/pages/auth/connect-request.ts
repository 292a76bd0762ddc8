import type { LinkRequest, MagicLink } from '../../../accounts/sign-in/magic-link.ts'
import type { Scope } from '../../../core/operation.ts'
import type { AuthorizationRequest } from '../../../oauth/authorize/authorize.ts'
import { destinationOf } from '../shared/words.ts'

/** The request and the ticked scopes, as they are stored with a `connect` link. */
export interface ConnectRequest extends LinkRequest {
  leadsTo: string
  authorization: AuthorizationRequest
  scopes: readonly Scope[]
}

export function connectRequest(
  authorization: AuthorizationRequest,
  scopes: readonly Scope[],
): ConnectRequest {
  const leadsTo = destinationOf(authorization.redirectUri).place
  return { leadsTo, authorization, scopes }
}

export function connectRequestOf(link: MagicLink): ConnectRequest {
  if (link.purpose !== 'connect') throw new Error('only a connect link holds a request')
  return link.request as ConnectRequest
}
