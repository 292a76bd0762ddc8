/** Of a large campaign a few go first, and the others wait for what comes of them. Pure. */
import { canaryFrom } from './finish.ts'

const share = 0.02

/** How many go first; 0 where nobody does. */
export function canaryOf(recipients: number): number {
  return recipients > canaryFrom ? Math.ceil(recipients * share) : 0
}
