import type { TrackingPolicy } from './business.ts'

/** A person's consent to being tracked, with the same statuses as every consent. */
export type TrackingConsent = 'none' | 'pending' | 'subscribed' | 'unsubscribed'

/**
 * Whether a person's opens and clicks may be recorded. A person who objected is never tracked,
 * whatever the business chose. A recipient who is not a contact has the consent `none`.
 */
export function mayTrack(policy: TrackingPolicy, consent: TrackingConsent = 'none'): boolean {
  if (policy === 'everyone') return consent !== 'unsubscribed'
  return policy === 'agreed' && consent === 'subscribed'
}
