/** What an operation asks for, and a call of it that is fine. */
import type { Role, Scope } from 'crier-server/core/operation.ts'
import type { Belongings } from './belongings.ts'

export interface Line {
  scope: Scope
  /** The least role that may call it. */
  role: Role
  /** Arguments of a call that succeeds in the business with these belongings. */
  sample(own: Belongings): Record<string, unknown>
}
