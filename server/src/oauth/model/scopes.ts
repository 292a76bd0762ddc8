/** Scopes as requests spell them and as people grant them (contract 5.1). */
import { type Scope, scopes } from '../../core/operation.ts'

/** Granted whatever the request names. */
const always: Scope = 'meta:read'

/** The scopes that a request names, in the contract's order. Unknown names are ignored. */
export function requestedScopes(text: string | undefined): Scope[] {
  const requested = new Set(text?.split(' '))
  return scopes.filter((scope) => scope === always || requested.has(scope))
}

/** The requested scopes that the person left ticked: never more than the request named. */
export function grantedScopes(requested: readonly Scope[], ticked: readonly Scope[]): Scope[] {
  return scopes.filter(
    (scope) => scope === always || (requested.includes(scope) && ticked.includes(scope)),
  )
}
