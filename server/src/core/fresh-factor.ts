/**
 * A fresh second factor: some acts ask the person to prove once more that it is they, by a passkey or
 * a one-time code, where the business or the operator wants that. An operation declares its act as
 * `freshFactor`; where it depends on the input, it calls `checkFreshFactor(context, act)`.
 */
import { later, minutes } from '../lib/time/clock.ts'
import { refuse } from './errors.ts'
import { type FactorAct, factorActs } from './factor-act.ts'
import { formatId } from './ids.ts'
import type { BusinessContext, Principal } from './operation.ts'

/** How long a proof counts. */
export const freshFactorLifetime = minutes(5)

/** Throws a refusal if the business asks for a fresh factor and the person has given none. */
export function checkFreshFactor(
  {
    principal,
    business,
    now,
    appUrl,
  }: Pick<BusinessContext, 'principal' | 'business' | 'now' | 'appUrl'>,
  act: FactorAct,
): void {
  const { factorRule } = business
  if (principal.connectionId !== null || !factorRule) return
  const isRequired = factorRule.requiredFrom !== null && factorRule.requiredFrom <= now
  if (isRequired || factorRule.asksFresh) checkCounts(principal, { now, appUrl })
  if (!factorRule.asksFresh) return
  checkProof(principal, { now, appUrl, act: factorActs[act] })
}

/** Throws a refusal unless the person used a factor a moment ago. */
export function checkProof(
  { provenAt }: Pick<Principal, 'provenAt'>,
  { now, appUrl, act }: { now: Date; appUrl: string; act: string },
): void {
  if (provenAt !== undefined && later(provenAt, freshFactorLifetime) > now) return
  const url = `${appUrl}/confirm`
  const text = `${act} within 5 minutes of using a passkey or a one-time code. Confirm that it is you at ${url}, and try again.`
  throw refuse('access_denied', text, { data: { reason: 'fresh_factor' }, fix: { url } })
}

/** From when a factor that waits counts (ISO 8601); null where it counts already. */
export const countsFrom = (waitsUntil: Date | null, now: Date): string | null =>
  waitsUntil && waitsUntil > now ? waitsUntil.toISOString() : null

/** Throws a refusal while the person's factor is too new: whoever reads the mailbox may have set it up. */
export function checkCounts(
  { factorWaitsUntil }: Pick<Principal, 'factorWaitsUntil'>,
  { now, appUrl }: { now: Date; appUrl: string },
): void {
  if (factorWaitsUntil === undefined || factorWaitsUntil <= now) return
  const from = factorWaitsUntil.toISOString()
  const text = `Your second factor was set up with your mailbox alone, so it counts from ${from} on. Until then you can look at everything. An owner can confirm it at once, on the page Members.`
  throw refuse('access_denied', text, {
    data: { reason: 'new_factor', counts_from: from },
    fix: { url: `${appUrl}/b/sessions` },
  })
}

/**
 * Throws a refusal if the business requires a second factor by now, and this session has been opened
 * without one, or with one that is too new for anything but reading.
 */
export function checkSecondFactor(
  {
    principal,
    business,
    now,
    appUrl,
  }: Pick<BusinessContext, 'principal' | 'business' | 'now' | 'appUrl'>,
  { isReading }: { isReading: boolean },
): void {
  const { connectionId, provenAt } = principal
  const from = business.factorRule?.requiredFrom
  if (connectionId !== null || !from || from > now) return
  if (provenAt !== undefined) {
    if (!isReading) checkCounts(principal, { now, appUrl })
    return
  }
  const url = `${appUrl}/confirm`
  const text = `${business.name} requires a second factor, and this session was opened without one. Use a passkey or a one-time code, or set one up, at ${url}.`
  throw refuse('access_denied', text, { data: { reason: 'second_factor' }, fix: { url } })
}

/**
 * The proof of a person behind an approval, for the audit log: by what they confirmed it, which passkey
 * it was, and when. Nothing where the last proof is too old to be one of this act.
 */
export function proofOf({
  principal,
  now,
}: Pick<BusinessContext, 'principal' | 'now'>): Record<string, string> {
  const { provenAt, provenBy, provenWith } = principal
  if (!provenAt || !provenBy || later(provenAt, freshFactorLifetime) <= now) return {}
  return {
    confirmed_by: provenBy,
    confirmed_at: provenAt.toISOString(),
    ...(provenWith && { passkey: formatId('passkey', provenWith) }),
  }
}
