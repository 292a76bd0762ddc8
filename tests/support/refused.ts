import assert from 'node:assert/strict'
import { isRefusal, type Refusal } from 'crier-server/core/errors.ts'

/** Returns the refusal; any other value fails the test. */
export function refused(outcome: unknown): Refusal {
  assert.ok(isRefusal(outcome), `not refused: ${JSON.stringify(outcome)?.slice(0, 500)}`)
  return outcome
}
