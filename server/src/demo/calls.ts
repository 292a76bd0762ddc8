/** Calls operations in the name of the demo's owner. A refusal is a bug of the demo. */

import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId, type Id, newPublicId } from '../core/ids.ts'
import type { PersonCalls } from '../operations/person-calls.ts'

export type DemoCalls = <T = unknown>(name: string, input: object) => Promise<T>

export function callsOf(
  ask: PersonCalls['ask'],
  { userId, businessId, now }: { userId: Id<'user'>; businessId: Id<'business'>; now: Date },
): DemoCalls {
  return async <T>(name: string, input: object) => {
    const named = { ...input, business_id: formatId('business', businessId) }
    const call = { userId, requestId: newPublicId('request'), signedInAt: now }
    const answer = await ask(name, named, call)
    if (isRefusal(answer)) throw new DemoFailed(name, answer)
    return answer as T
  }
}

class DemoFailed extends Error {
  override name = 'DemoFailed'
  constructor(operation: string, { code, message }: Refusal) {
    super(`${operation} refused the demo (${code}): ${message}`)
  }
}
