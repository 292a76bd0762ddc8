/** Whether consent from a call, an import or a form may bring back a person who said no. Pure. */
import {
  type ChangeSource,
  type ConsentGiven,
  type ConsentSubject,
  type ContactValues,
  saidOfTopic,
} from '../contact.ts'
import { isOwnNo, liftedByConfirming, type SuppressionReason } from '../suppressions/suppression.ts'

/** A suppression of the contact's address on a channel. */
export interface Suppressed {
  reason: SuppressionReason
  since: Date
}

/** The facts that decide whether a person who left may be brought back. */
export interface Returning {
  /** The moment of the call; no choice can be later. */
  now: Date
  /** When the person left the channel, or its topic; undefined if that is unknown. */
  leftAt: (channel: ConsentSubject, topic: string | undefined) => Date | undefined
  suppressed: (channel: ConsentSubject) => Suppressed | undefined
  /** When the person came back after an erasure, which was a no to everything. */
  returnedAt: Date | undefined
  /** When the person left email, if a connection's call brought their consent to `pending`. */
  pendingSince: Date | undefined
  /** An OAuth connection makes the call: it brings nobody back who has not confirmed. */
  mustConfirm: boolean
}

export const nobodyReturns: Returning = {
  now: new Date(0),
  leftAt: () => undefined,
  suppressed: () => undefined,
  returnedAt: undefined,
  pendingSince: undefined,
  mustConfirm: false,
}

export interface Circumstances extends Returning {
  source: ChangeSource
}

/** Consent to a channel, with what speaks for it. */
type Claim = Pick<ConsentGiven, 'text' | 'at'> & { channel: ConsentSubject }

type Standing = Pick<ContactValues, 'consent' | 'topics'>

/** Whether the person stays out of the channel, or of the topic, whatever is claimed of them. */
export function staysOut(
  standing: Standing,
  said: Claim,
  { topic, ...around }: Circumstances & { topic: string | undefined },
): boolean {
  const left = leftBefore(standing, { channel: said.channel, topic }, around)
  return left !== undefined && !mayReturn(said, left.at, around)
}

/**
 * When the person left, if a call has their later words for it but may only ask them: that of an
 * OAuth connection. Whoever calls for a business with a key answers for what was said; an assistant
 * may have made it up.
 */
export function leftUntilConfirmed(
  standing: Standing,
  said: Claim,
  { topic, ...around }: Circumstances & { topic: string | undefined },
): Date | undefined {
  if (!around.mustConfirm || said.channel !== 'email') return undefined
  const stands = topic === undefined ? around.suppressed('email') : undefined
  const left =
    leftBefore(standing, { channel: 'email', topic }, around)?.at ??
    (stands && isOwnNo(stands.reason) ? stands.since : undefined)
  return left && isLaterWord(said, left, around.now) ? left : undefined
}

/** How far ahead a caller's clock may be. */
const clockSkewMs = 5 * 60_000

/**
 * An opt-out stays unless the person withdraws it, or an `api` call has their words and a time
 * after the opt-out. An import never undoes it, and a form requests the person's confirmation.
 */
function mayReturn(
  said: Claim,
  left: Date | undefined,
  { source, now, mustConfirm }: Pick<Circumstances, 'source' | 'now' | 'mustConfirm'>,
): boolean {
  if (source === 'person') return true
  return source === 'api' && !mustConfirm && isLaterWord(said, left, now)
}

/** Whether there are words of the person that are later than their no. */
function isLaterWord({ text, at }: Claim, left: Date | undefined, now: Date): boolean {
  if (!text || !at || !left) return false
  return at > left && at.getTime() <= now.getTime() + clockSkewMs
}

/**
 * Whether the person said no to the channel or the topic, and when, if that is known. Who came back
 * after an erasure had said no to everything that they have not chosen since.
 */
function leftBefore(
  { consent, topics }: Standing,
  { channel, topic }: { channel: ConsentSubject; topic: string | undefined },
  { source, leftAt, returnedAt, pendingSince }: Circumstances,
): { at: Date | undefined } | undefined {
  const said = topic === undefined ? consent[channel] : saidOfTopic(topics, channel, topic)
  if (said === 'unsubscribed') return { at: leftAt(channel, topic) }
  if (said === 'pending' && channel === 'email' && pendingSince) return { at: pendingSince }
  const isOfOthers = source === 'import' || source === 'api'
  return returnedAt && said !== 'subscribed' && isOfOthers ? { at: returnedAt } : undefined
}

/**
 * Whether an address is suppressed by its person's own choice, which consent from elsewhere does
 * not outweigh. A form also asks whoever's mail failed: their answer shows that the address works.
 */
export function staysSuppressed({ reason, since }: Suppressed, said: Claim, around: Circumstances) {
  if (around.source === 'form' && said.channel === 'email') {
    return liftedByConfirming.includes(reason)
  }
  return isOwnNo(reason) && !mayReturn(said, since, around)
}
