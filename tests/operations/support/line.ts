/** The required rights of an operation, and a valid call of it. */
import type { Role, Scope } from 'crier-server/core/operation.ts'
import type { Belongings } from './belongings.ts'

export interface Line {
  scope: Scope
  /** The lowest role that may call it. */
  role: Role
  /** Arguments of a call that succeeds in the business with these belongings. */
  sample(own: Belongings): Record<string, unknown>
}
