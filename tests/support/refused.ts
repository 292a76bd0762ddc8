import assert from 'node:assert/strict'
import { isRefusal, type Refusal } from 'crier-server/core/errors.ts'

/** Returns the refusal; any other value fails the test. */
export function refused(outcome: unknown): Refusal {
  assert.ok(isRefusal(outcome), `not refused: ${JSON.stringify(outcome)?.slice(0, 500)}`)
  return outcome
}

/** Returns the refusal that the work throws; a result, or any other error, fails the test. */
export function refusedBy(work: () => unknown): Refusal {
  let outcome: unknown
  try {
    outcome = work()
  } catch (error) {
    outcome = error
  }
  return refused(outcome)
}
