/** Whether new limits of a connection or a key give it more than it has. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { checkFreshFactor } from '../../core/fresh-factor.ts'
import { checkFreshSignIn } from '../../core/fresh-sign-in.ts'
import type { Principal } from '../../core/operation.ts'
import type { CurrentLimits, Limits, OwnLimits } from './connection.ts'

interface LimitChange {
  principal: Principal
  now: Date
  appUrl: string
}

/**
 * Refuses limits that cannot be set, and those that a person may set only soon after signing in:
 * taking rights away is always possible.
 */
export function checkLimits(
  wanted: Limits & Partial<Pick<OwnLimits, 'seesMasked' | 'takesDataOut'>>,
  current: CurrentLimits,
  { principal, ...asking }: LimitChange,
): void {
  const { isReadOnly, recipientsPerDay, transactionalPerDay, seesMasked, takesDataOut } = wanted
  const { withheldScopes } = current
  if (isReadOnly === false && withheldScopes.length === 0) throw nothingWithheld()
  const raises =
    isRaised(recipientsPerDay, current.recipientsPerDay) ||
    isRaised(transactionalPerDay, current.transactionalPerDay)
  const opens =
    (seesMasked === false && current.seesMasked === true) ||
    (takesDataOut === true && current.takesDataOut === false)
  if (isReadOnly !== false && !raises && !opens) return
  checkFreshSignIn(principal, { ...asking, what: 'Rights are given back' })
  for (const business of principal.businesses) {
    checkFreshFactor({ principal, business, ...asking }, 'limits')
  }
}

/** Null is no limit. */
function isRaised(wanted: number | null | undefined, before: number | null): boolean {
  return wanted !== undefined && before !== null && (wanted === null || wanted > before)
}

function nothingWithheld(): Refusal {
  const text =
    'Nothing is withheld that could be given back: it was never given more. Connect the app again, or make another API key, and choose more there.'
  return refuse('invalid_request', text, {
    field: 'read_only',
    data: { reason: 'nothing_withheld' },
  })
}
