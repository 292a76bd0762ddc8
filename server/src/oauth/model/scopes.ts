/** Scopes as requests spell them and as people grant them (contract, "Authentication" 10). */
import { type Scope, scopes } from '../../core/operation.ts'

/** Granted whatever is asked for. */
const always: Scope = 'meta:read'

/** The scopes a request asks for, in the contract's order; names we do not know are ignored. */
export function requestedScopes(text: string | undefined): Scope[] {
  const asked = new Set(text?.split(' '))
  return scopes.filter((scope) => scope === always || asked.has(scope))
}

/** What the person left ticked of what was asked: never more than the request named. */
export function grantedScopes(asked: readonly Scope[], ticked: readonly Scope[]): Scope[] {
  return scopes.filter(
    (scope) => scope === always || (asked.includes(scope) && ticked.includes(scope)),
  )
}
