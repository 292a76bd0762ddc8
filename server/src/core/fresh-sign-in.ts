import { later, minutes } from '../lib/time/clock.ts'
import { type Refusal, refuse } from './errors.ts'
import type { Principal } from './operation.ts'

const freshFor = minutes(15)

/** Whether the person signed in a moment ago: a browser left open is not enough for some acts. */
function isFresh(signedInAt: Date | undefined, now: Date): boolean {
  return signedInAt !== undefined && later(signedInAt, freshFor) > now
}

/**
 * The refusal of a person who signed in too long ago; a connection signs nobody in and is not
 * asked. `what` begins the sentence, such as "An API key is made".
 */
export function needsFreshSignIn(
  { connectionId, signedInAt }: Principal,
  { now, appUrl, what }: { now: Date; appUrl: string; what: string },
): Refusal | undefined {
  if (connectionId !== null || isFresh(signedInAt, now)) return undefined
  const text = `${what} within 15 minutes of signing in. Sign in again, and come back.`
  return refuse('unauthorized', text, { fix: { url: `${appUrl}/login` } })
}
