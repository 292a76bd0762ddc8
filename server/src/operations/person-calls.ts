import { personPrincipal } from '../accounts/sign-in/principal.ts'
import { isRefusal, orRefusal, type Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Operation, Principal } from '../core/operation.ts'
import { type CallDeps, callOperation, checkRights, chooseBusiness } from './call.ts'

export type PersonCalls = ReturnType<typeof createPersonCalls>

/** The person who makes a call in a page, and the id of the request. */
export interface PersonCall
  extends Pick<
    Principal,
    'signedInAt' | 'provenAt' | 'provenBy' | 'provenWith' | 'factorWaitsUntil' | 'sessionId'
  > {
  userId: Id<'user'>
  requestId: string
}

/**
 * Makes calls for people who use the pages that the server renders. They take the same path as
 * every other call.
 */
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
      { userId, requestId, ...session }: PersonCall,
    ): Promise<T | Refusal> {
      const principal = await personPrincipal(deps.db, userId, session)
      const call = { operation: named(name), input, principal, requestId }
      return (await callOperation(deps, call)) as T | Refusal
    },

    /** Returns the operations that the person's role allows there. A page offers no others. */
    async allowed(
      names: readonly string[],
      input: Record<string, unknown>,
      userId: Id<'user'>,
    ): Promise<ReadonlySet<string>> {
      const principal = await personPrincipal(deps.db, userId)
      const reached = await Promise.all(
        names.map(async (name) => {
          const operation = named(name)
          const outcome = await orRefusal(async () => {
            const business = await chooseBusiness(deps.db, { operation, input, principal })
            if (business) checkRights(operation, business)
            return name
          })
          return isRefusal(outcome) ? [] : [outcome]
        }),
      )
      return new Set(reached.flat())
    },
  }
}
