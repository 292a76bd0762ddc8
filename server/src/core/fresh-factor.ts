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
  if (principal.connectionId !== null || !business.factorRule?.asksFresh) return
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

/**
 * Throws a refusal if the business requires a second factor by now, and this session has been opened
 * without one.
 */
export function checkSecondFactor({
  principal,
  business,
  now,
  appUrl,
}: Pick<BusinessContext, 'principal' | 'business' | 'now' | 'appUrl'>): void {
  const { connectionId, provenAt } = principal
  const from = business.factorRule?.requiredFrom
  if (connectionId !== null || provenAt !== undefined || !from || from > now) return
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
