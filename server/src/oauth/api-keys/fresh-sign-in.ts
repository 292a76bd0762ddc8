import { type Refusal, refuse } from '../../core/errors.ts'
import type { Principal } from '../../core/operation.ts'
import { later, minutes } from '../../lib/time/clock.ts'

const freshFor = minutes(15)

/** Whether the person signed in a moment ago. A browser left open is not enough to make a key. */
export function isFresh(signedInAt: Date | undefined, now: Date): boolean {
  return signedInAt !== undefined && later(signedInAt, freshFor) > now
}

export function needsFreshSignIn(
  { signedInAt }: Principal,
  { now, appUrl }: { now: Date; appUrl: string },
): Refusal | undefined {
  if (isFresh(signedInAt, now)) return undefined
  const text = 'An API key is made within 15 minutes of signing in. Sign in again, and come back.'
  return refuse('unauthorized', text, { fix: { url: `${appUrl}/login` } })
}
