/** Who runs the installation. To everybody else the operator's operations do not exist. */

import { emailOf } from '../../accounts/members/user.ts'
import { refuse } from '../../core/errors.ts'
import type { Context } from '../../core/operation.ts'

export interface OperatorIdentity {
  /** Who sees more than whether the service works. */
  operatorEmail: string | undefined
  /**
   * Everybody on this machine is its operator, because the service listens on no other address. A
   * tunnel makes such a service public without its settings knowing, so the request itself must
   * have come from this machine, too.
   */
  isOfThisMachine: boolean
}

export async function isOperator(
  { operatorEmail, isOfThisMachine }: OperatorIdentity,
  { db, principal }: Pick<Context, 'db' | 'principal'>,
): Promise<boolean> {
  if (operatorEmail === undefined) return isOfThisMachine && principal.isFromThisMachine === true
  return (await emailOf(db, principal.userId)) === operatorEmail
}

/** Refuses everybody but the operator, without telling that there is such an operation. */
export async function requireOperator(
  identity: OperatorIdentity,
  context: Pick<Context, 'db' | 'principal'>,
): Promise<void> {
  if (await isOperator(identity, context)) return
  throw refuse('not_found', "You don't have access to this page.")
}
