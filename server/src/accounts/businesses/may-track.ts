import type { TrackingPolicy } from './business.ts'

/** What a person said of being tracked, in the words of every consent. */
export type TrackingConsent = 'none' | 'pending' | 'subscribed' | 'unsubscribed'

/**
 * Whether a person's opens and clicks may be recorded. Whoever objected is never tracked, whatever
 * the business chose; a recipient who is no contact has said nothing.
 */
export function mayTrack(policy: TrackingPolicy, consent: TrackingConsent = 'none'): boolean {
  if (policy === 'everyone') return consent !== 'unsubscribed'
  return policy === 'agreed' && consent === 'subscribed'
}
