/**
 * The canary: a large campaign is first sent to a few recipients, and the rest wait for their
 * outcomes. Pure.
 */
import { canaryFrom } from './finish.ts'

const share = 0.02

/** The number of canary recipients; 0 for a small campaign. */
export function canaryOf(recipients: number): number {
  return recipients > canaryFrom ? Math.ceil(recipients * share) : 0
}
