import { later, minutes } from '../lib/time/clock.ts'
import { refuse } from './errors.ts'
import type { Principal } from './operation.ts'

const freshFor = minutes(15)

/**
 * Whether the person signed in, or used a passkey, a moment ago: a browser left open is not enough
 * for some acts.
 */
function isFresh({ signedInAt, provenAt }: Principal, now: Date): boolean {
  return [signedInAt, provenAt].some((at) => at !== undefined && later(at, freshFor) > now)
}

/**
 * Throws a refusal if the person signed in too long ago; a connection signs nobody in and is not
 * asked. `what` begins the sentence, such as "An API key is made".
 */
export function checkFreshSignIn(
  principal: Principal,
  { now, appUrl, what }: { now: Date; appUrl: string; what: string },
): void {
  if (principal.connectionId !== null || isFresh(principal, now)) return
  const text = `${what} within 15 minutes of signing in. Sign in again, and come back.`
  throw refuse('unauthorized', text, { fix: { url: `${appUrl}/login` } })
}
