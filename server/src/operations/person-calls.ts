import { personPrincipal } from '../accounts/sign-in/principal.ts'
import type { Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Operation } from '../core/operation.ts'
import { type CallDeps, callOperation } from './call.ts'

export interface ByPerson {
  userId: Id<'user'>
  requestId: string
}

/** Calls of people in the pages that the server renders: the way of every call, no other. */
export function createPersonCalls(deps: CallDeps, catalog: readonly Operation[]) {
  const byName = new Map(catalog.map((operation) => [operation.name, operation]))
  return async <T>(
    name: string,
    input: Record<string, unknown>,
    { userId, requestId }: ByPerson,
  ): Promise<T | Refusal> => {
    const operation = byName.get(name)
    if (!operation) throw new Error(`a page asks for ${name}, which there is not`)
    const principal = await personPrincipal(deps.db, userId)
    const call = { operation, input, principal, requestId }
    return (await callOperation(deps, call)) as T | Refusal
  }
}
