import { later, minutes } from '../lib/time/clock.ts'
import { type Refusal, refuse } from './errors.ts'
import type { Principal } from './operation.ts'

const freshFor = minutes(15)

/** Whether the person signed in a moment ago: a browser left open is not enough for some acts. */
export function isFresh(signedInAt: Date | undefined, now: Date): boolean {
  return signedInAt !== undefined && later(signedInAt, freshFor) > now
}

/** `what` begins the sentence, such as "An API key is made". */
export function needsFreshSignIn(
  { signedInAt }: Principal,
  { now, appUrl, what }: { now: Date; appUrl: string; what: string },
): Refusal | undefined {
  if (isFresh(signedInAt, now)) return undefined
  const text = `${what} within 15 minutes of signing in. Sign in again, and come back.`
  return refuse('unauthorized', text, { fix: { url: `${appUrl}/login` } })
}
