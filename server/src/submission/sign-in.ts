/** Who submits: an API key as the password, under any user name. */
import { orThrow, type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Principal } from '../core/operation.ts'
import type { RateLimiter } from '../lib/rate-limit/rate-limit.ts'
import { type CheckKey, refuseEndedKey } from '../oauth/api-keys/check-key.ts'

export interface Submitter {
  businessId: Id<'business'>
  principal: Principal
}

export interface SignInDeps {
  checkKey: CheckKey
  principalOf(connectionId: Id<'connection'>): Promise<Principal | undefined>
  rate: Pick<RateLimiter, 'check'>
  used(connectionId: Id<'connection'>): void
}

export interface SignIn {
  /** Asked for each session and again for each mail, so that a revocation acts at once. */
  submitterOf(key: string, address: string): Promise<Submitter>
  /** Counts one request of the key, as a call over HTTP is counted. */
  count(submitter: Submitter): Refusal | undefined
}

export function createSignIn({ checkKey, principalOf, rate, used }: SignInDeps): SignIn {
  return {
    async submitterOf(key, address) {
      const connectionId = orThrow(await checkKey(key, address))
      const principal = await principalOf(connectionId)
      const business = principal?.businesses[0]
      if (!principal || !business) throw refuseEndedKey()
      if (!principal.scopes.has('messaging:send')) {
        const text =
          'This API key may not send: it lacks the scope messaging:send. Make another key in the app with that scope.'
        throw refuse('scope_required', text)
      }
      used(connectionId)
      return { businessId: business.id, principal }
    },
    count({ principal }) {
      const verdict = rate.check(principal.connectionId ?? principal.userId)
      if (verdict.allowed) return undefined
      const { limit, retryAfter } = verdict
      const text = `More than ${limit} requests in a minute with one key. Wait ${retryAfter} s.`
      return refuse('rate_limited', text, { retryAfter })
    },
  }
}
