import { personPrincipal } from '../accounts/sign-in/principal.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Operation } from '../core/operation.ts'
import { type CallDeps, callOperation, mayRun } from './call.ts'
import { findBusiness } from './choose-business.ts'

export interface ByPerson {
  userId: Id<'user'>
  requestId: string
}

/** Calls of people in the pages that the server renders: the way of every call, no other. */
export function createPersonCalls(deps: CallDeps, catalog: readonly Operation[]) {
  const byName = new Map(catalog.map((operation) => [operation.name, operation]))
  const named = (name: string): Operation => {
    const operation = byName.get(name)
    if (!operation) throw new Error(`a page asks for ${name}, which there is not`)
    return operation
  }
  return {
    async ask<T>(
      name: string,
      input: Record<string, unknown>,
      { userId, requestId }: ByPerson,
    ): Promise<T | Refusal> {
      const principal = await personPrincipal(deps.db, userId)
      const call = { operation: named(name), input, principal, requestId }
      return (await callOperation(deps, call)) as T | Refusal
    },

    /** Those of the operations that the person's role allows there: a page offers no other. */
    async allowed(
      names: readonly string[],
      input: Record<string, unknown>,
      userId: Id<'user'>,
    ): Promise<ReadonlySet<string>> {
      const principal = await personPrincipal(deps.db, userId)
      const found = await Promise.all(
        names.map(async (name) => {
          const operation = named(name)
          const business = await findBusiness(deps.db, { operation, input, principal })
          if (isRefusal(business) || (business && mayRun(operation, business))) return []
          return [name]
        }),
      )
      return new Set(found.flat())
    },
  }
}
