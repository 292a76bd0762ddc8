import type { Lazy } from '../../lib/concurrency/lazily.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import type { Fetch } from './sns.ts'

/** Fetches through the guard; returns undefined unless the answer is complete with status 200. */
export function fetchBytes(outbound: Lazy<Outbound>): Fetch {
  return async (url) => {
    const answer = await (await outbound.get()).fetch({ url })
    const fine = answer.outcome === 'answered' && answer.status === 200 && answer.complete
    return fine ? answer.body : undefined
  }
}
